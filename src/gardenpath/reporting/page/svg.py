"""Figures inside a page: SVG with nothing in it that acts, loads or clashes."""

import re
from xml.etree import ElementTree

SVG = "http://www.w3.org/2000/svg"
DRAWN = frozenset(
    {
        "svg", "g", "path", "rect", "circle", "line", "polyline", "polygon", "ellipse", "text", "tspan", "defs",
        "clipPath", "linearGradient", "radialGradient", "stop", "title", "desc", "marker", "mask", "pattern", "symbol",
    }
)  # fmt: skip
"""Elements that only draw; all others (script, foreignObject, image, a, use, style, animate, ...) are left out."""

REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")
ACTING = re.compile(r"^on|href$|^src$", re.IGNORECASE)


def inline_svg(text: str, *, prefix: str, label: str) -> str:
    """The picture for a page, named `label` for those who do not see it; its ids begin with `prefix`."""
    root = ElementTree.fromstring(text)
    if local(root.tag) != "svg":
        raise ValueError(f"a picture begins with <{local(root.tag)}>, not with <svg>")
    keep_drawn(root, prefix)
    for ground in [child for child in root if is_ground(child, root)]:
        root.remove(ground)
    if "viewBox" not in root.attrib and {"width", "height"} <= set(root.attrib):
        root.set("viewBox", f"0 0 {root.get('width')} {root.get('height')}")
    root.set("role", "img")
    root.set("aria-label", label)
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")


def keep_drawn(element: ElementTree.Element, prefix: str) -> None:
    """Leave out what acts or loads, here and below, and make ids the figure's own."""
    for name, value in list(element.attrib.items()):
        if ACTING.search(local(name)) or re.search(r"url\((?!\s*['\"]?#)", value):
            del element.attrib[name]
        elif name == "id":
            element.set(name, prefix + value)
        # Roles of single marks (Vega says every bar twice) would be read out one by one; the figure has one label.
        elif local(name).startswith("aria-") or name == "role":
            del element.attrib[name]
        else:
            element.set(name, REFERENCE.sub(rf"url(#{prefix}\1)", value))
    for child in list(element):
        if isinstance(child.tag, str) and child.tag.startswith(f"{{{SVG}}}") and local(child.tag) in DRAWN:
            keep_drawn(child, prefix)
        else:
            element.remove(child)


def is_ground(element: ElementTree.Element, root: ElementTree.Element) -> bool:
    """Whether an element is the white ground of the picture; the page has one of its own."""
    whole = all(element.get(side) in ("100%", root.get(side)) for side in ("width", "height"))
    return local(element.tag) == "rect" and whole and element.get("fill") in ("white", "#fff", "#ffffff")


def local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]
