import json
import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.toml_lines import Path, TomlLines

DOCUMENT = '''# a comment = "with [brackets]"
a = 1
"q.x".'b c' = """multi
 # no comment " [x]
 escaped \\""" quotes"""""  # tail
[t.u]
list = [ 1, # one
  {x = 1, y = [ "]", '}' ]},
  3 ]
[[w]]
k.z = 1979-05-27 07:32:00
[[w.add]]
s = "a=b # ["
[[w.add]]
s = \'\'\'x
\\\'\'\'
[[w]]
[w.sub]
e = []
'''


def test_every_kind_of_value_has_its_line() -> None:
    tomllib.loads(DOCUMENT)
    lines = TomlLines(DOCUMENT)

    expected: dict[Path, int] = {
        ("a",): 2,
        ("q.x", "b c"): 3,
        ("t", "u"): 6,
        ("t", "u", "list", 0): 7,
        ("t", "u", "list", 1, "y", 1): 8,
        ("t", "u", "list", 2): 9,
        ("w",): 10,
        ("w", 0): 10,
        ("w", 0, "k", "z"): 11,
        ("w", 0, "add", 0): 12,
        ("w", 0, "add", 1): 14,
        ("w", 0, "add", 1, "s"): 15,
        ("w", 1): 17,
        ("w", 1, "sub", "e"): 19,
    }
    assert {path: lines[path] for path in expected} == expected


def test_what_is_not_there_has_the_line_of_what_it_is_missing_from() -> None:
    lines = TomlLines(DOCUMENT)

    assert lines["w", 1, "sub", "missing", 4] == 18
    assert lines["nothing",] == 1
    assert TomlLines("")["x",] == 1


def test_windows_line_ends_count_once() -> None:
    assert TomlLines('a = """\r\nx\r\n"""\r\nb = 1\r\n')["b",] == 4


keys = st.text(st.sampled_from("ab-_ .\"'#=[]é\n"), min_size=0, max_size=4)
texts = st.text(st.sampled_from("ab \"'\\#=[]{},\n\tあ"), max_size=8)
scalars = st.one_of(st.integers(-9, 9), st.booleans(), texts)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=6
)
tables = st.recursive(
    st.dictionaries(keys, values, max_size=3),
    lambda inner: st.dictionaries(keys, inner | st.lists(inner, min_size=1, max_size=3) | values, max_size=4),
    max_leaves=8,
)


class Writer:
    """Writes TOML in some of its many spellings and keeps the line on which it put each thing."""

    def __init__(self, draw: Any) -> None:
        self.text = ""
        self.lines: dict[Path, int] = {}
        self._draw = draw

    def table(self, path: Path, header: str, table: dict[str, Any]) -> None:
        nested: list[tuple[str, Any]] = []
        for key, value in table.items():
            if is_table(value) and self._choose(True, False):
                nested.append((key, value))
            else:
                self._note((*path, key))
                self._put(f"{quoted(key)}{self._choose('=', ' = ')}")
                self._value((*path, key), value)
                self._put(self._choose("\n", " # note = [1]\n", "\n\n"))
        for key, value in nested:
            name = f"{header}.{quoted(key)}" if header else quoted(key)
            self._note((*path, key))
            for where, inner in enumerate(value) if isinstance(value, list) else ((None, value),):
                here = (*path, key) if where is None else (*path, key, where)
                self._note(here)
                self._put(f"[{name}]\n" if where is None else f"[[ {name} ]]\n")
                self.table(here, name, inner)

    def _value(self, path: Path, value: Any) -> None:
        match value:
            case bool() | int():
                self._put(json.dumps(value))
            case str():
                self._put(self._spell(value))
            case list():
                self._put("[")
                for index, item in enumerate(value):
                    self._put(self._choose("", "\n", ' # ] "\n  '))
                    self._note((*path, index))
                    self._value((*path, index), item)
                    self._put(self._choose(",", " ,\n"))
                self._put("]")
            case _:
                self._put("{")
                for index, (key, item) in enumerate(value.items()):
                    self._put(", " if index else "")
                    self._note((*path, key))
                    self._put(f"{quoted(key)} = ")
                    self._value((*path, key), item)
                self._put("}")

    def _spell(self, value: str) -> str:
        kinds = [json.dumps(value, ensure_ascii=False)]
        kinds.append('"""\n' + value.replace("\\", "\\\\").replace('"', '\\"') + '"""')
        if "'" not in value:
            kinds.append(f"'''\n{value}'''")
            if "\n" not in value:
                kinds.append(f"'{value}'")
        return str(self._choose(*kinds))

    def _choose(self, *options: Any) -> Any:
        return self._draw(st.sampled_from(options))

    def _note(self, path: Path) -> None:
        self.lines.setdefault(path, self.text.count("\n") + 1)

    def _put(self, text: str) -> None:
        self.text += text


def quoted(key: str) -> str:
    return json.dumps(key, ensure_ascii=False)


def is_table(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    )


@given(table=tables, data=st.data())
def test_line_of_everything_is_found_in_any_document(table: dict[str, Any], data: st.DataObject) -> None:
    writer = Writer(data.draw)
    writer.table((), "", table)
    assert tomllib.loads(writer.text) == table

    lines = TomlLines(writer.text)

    assert lines.paths() == set(writer.lines)
    assert {path: lines[path] for path in writer.lines} == writer.lines
