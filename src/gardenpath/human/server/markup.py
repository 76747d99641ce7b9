"""HTML in which every text is escaped, whoever wrote it."""

from html import escape


class Html(str):
    """A text that is HTML already; only `tag` and `join` make it."""

    __slots__ = ()


def tag(name: str, /, *inside: str | int | float | None, **attributes: str | bool) -> Html:
    """Make an element; texts inside and attributes are escaped, and an attribute that is True has no value.

    >>> tag("a", "1 < 2", href="/?a=1&b=2", class_="wide")
    '<a href="/?a=1&amp;b=2" class="wide">1 &lt; 2</a>'
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not False
    )
    if name in ("input", "link", "meta"):
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{join(*inside)}</{name}>")


def join(*parts: str | int | float | None) -> Html:
    """Put parts one after another; those that are no HTML are escaped, None is nothing."""
    return Html("".join(part if isinstance(part, Html) else escape(str(part)) for part in parts if part is not None))
