"""Templates of pages, filled in: whatever is put into them is escaped, and nothing may be missing."""

from jinja2 import Environment, PackageLoader, StrictUndefined

from core.rates import Rate


def fill(template: str, **values: object) -> str:
    """Return a page. `template` is its path below `bot/`; what lies in `pages` can be included and imported by any."""
    environment = Environment(
        loader=PackageLoader("bot", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"percent": percent, "place": place}
    return environment.get_template(template).render(**values)


def percent(rate: Rate) -> str:
    """Return a share in whole percent."""
    return f"{rate.share * 100:.0f}"


def place(rate: Rate) -> dict[str, str]:
    """Return where the share and its interval lie on a bar, in percent."""
    low, high = rate.interval
    return {
        "at": f"{rate.share * 100:.1f}",
        "low": f"{low * 100:.0f}",
        "high": f"{high * 100:.0f}",
        "width": f"{(high - low) * 100:.1f}",
    }
