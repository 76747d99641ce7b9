"""Figures inside a page: SVG without anything that runs, loads, or clashes with another figure."""

import re
from collections.abc import Mapping
from xml.etree import ElementTree

SVG = "http://www.w3.org/2000/svg"
DRAWING = frozenset(
    {
        "svg", "g", "path", "rect", "circle", "line", "polyline", "polygon", "ellipse", "text", "tspan", "defs",
        "clipPath", "linearGradient", "radialGradient", "stop", "title", "desc", "marker", "mask", "pattern", "symbol",
    }
)  # fmt: skip
"""Elements that only draw; all others (script, foreignObject, image, a, use, style, animate, ...) are removed."""

REFERENCE = re.compile(r"url\(\s*['\"]?#([^'\")]+)['\"]?\s*\)")
ACTIVE = re.compile(r"^on|href$|^src$", re.IGNORECASE)


def inline_svg(text: str, *, prefix: str, label: str) -> str:
    """Return a picture as an element of a page, with `label` for screen readers and ids that begin with `prefix`.

    Ids are numbered within the picture: Vega numbers them over all pictures of a process.
    """
    root = ElementTree.fromstring(text)
    if local_name(root.tag) != "svg":
        raise ValueError(f"a picture begins with <{local_name(root.tag)}>, not with <svg>")
    named = (element.attrib["id"] for element in root.iter() if "id" in element.attrib)
    remove_active_parts(root, {name: f"{prefix}{number}" for number, name in enumerate(named)})
    for background in [child for child in root if is_background(child, root)]:
        root.remove(background)
    if "viewBox" not in root.attrib and {"width", "height"} <= set(root.attrib):
        root.set("viewBox", f"0 0 {root.get('width')} {root.get('height')}")
    root.set("role", "img")
    root.set("aria-label", label)
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")


def remove_active_parts(element: ElementTree.Element, ids: Mapping[str, str]) -> None:
    """Remove what runs or loads from an element and its children, and rename ids."""
    for name, value in list(element.attrib.items()):
        if ACTIVE.search(local_name(name)) or re.search(r"url\((?!\s*['\"]?#)", value):
            del element.attrib[name]
        elif name == "id":
            element.set(name, ids[value])
        # Screen readers would read out the role of every mark (Vega labels each bar twice); the figure has one label.
        elif local_name(name).startswith("aria-") or name == "role":
            del element.attrib[name]
        else:
            element.set(name, REFERENCE.sub(lambda found: f"url(#{ids.get(found[1], found[1])})", value))
    for child in list(element):
        if isinstance(child.tag, str) and child.tag.startswith(f"{{{SVG}}}") and local_name(child.tag) in DRAWING:
            remove_active_parts(child, ids)
        else:
            element.remove(child)


def is_background(element: ElementTree.Element, root: ElementTree.Element) -> bool:
    """Whether an element is the white background of the picture; the page has its own."""
    whole = all(element.get(side) in ("100%", root.get(side)) for side in ("width", "height"))
    return local_name(element.tag) == "rect" and whole and element.get("fill") in ("white", "#fff", "#ffffff")


def local_name(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]
