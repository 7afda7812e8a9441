"""What stands in modules to be said: their string literals, without docstrings and lines of the log."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[3]
GAP = "\0"
"""Stands for a value in a text."""


def said_in(*modules: str) -> Iterator[str]:
    """Yield the texts of modules ("bot/errors.py", or a folder for all in it)."""
    for module in modules:
        path = _ROOT / module
        for file in sorted(path.glob("*.py")) if path.is_dir() else (path,):
            yield from _texts(file)


@cache
def _texts(file: Path) -> tuple[str, ...]:
    found = map(_text, _spoken(ast.parse(file.read_text("utf-8"))))
    return tuple(text for text in found if text is not None)


def _spoken(node: ast.AST) -> Iterator[ast.AST]:
    """Yield literals; those with values in them as a whole, and then what is written in these values."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant):
            yield child
        elif isinstance(child, ast.JoinedStr):
            yield child
            for value in child.values:
                if isinstance(value, ast.FormattedValue):
                    yield from _spoken(value.value)
                    yield from (value.value,) if isinstance(value.value, ast.Constant) else ()
        elif not _is_aside(child):
            yield from _spoken(child)


def _is_aside(node: ast.AST) -> bool:
    """Whether it is a docstring, or a line of the log."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("_log.", "re."))


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    assert isinstance(node, ast.JoinedStr)
    return "".join(str(part.value) if isinstance(part, ast.Constant) else GAP for part in node.values)
