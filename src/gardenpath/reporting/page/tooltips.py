"""What the cells of a chart show under the mouse, in pictures that are part of a page."""

from xml.etree import ElementTree

from gardenpath.reporting.page.svg import SVG

LABEL, ROLE = "aria-label", "graphics-symbol"


def with_tooltips(svg: str) -> str:
    """Add the description of every mark of a chart (its channel `description`) as the title that browsers show.

    Descriptions are labels for screen readers in the SVG that Vega writes; in a page, a picture has one label.
    """
    root = ElementTree.fromstring(svg)
    for mark in [element for element in root.iter() if element.get("role") == ROLE and element.get(LABEL)]:
        title = ElementTree.Element(f"{{{SVG}}}title")
        title.text = mark.get(LABEL)
        mark.insert(0, title)
        if mark.text:  # the number of a cell stands before its first child
            title.tail, mark.text = mark.text, None
    ElementTree.register_namespace("", SVG)
    return ElementTree.tostring(root, encoding="unicode")
