"""How a suite shows itself: in one line, and as HTML in a notebook."""

from html import escape
from itertools import islice

from gardenpath.suites.suite import Suite

CONDITIONS_SHOWN = 8
"""The number of conditions that are shown."""


def count_noun(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where needed."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def describe_size(suite: Suite) -> str:
    """Return how many items and conditions a suite has."""
    return f"{count_noun(len(suite.items), 'item')} in {count_noun(len(suite.conditions), 'condition')}"


def suite_in_one_line(suite: Suite) -> str:
    """Return the name, the size, the conditions and the predictions, those that are too many or too long cut short."""
    conditions = [condition.name for condition in suite.conditions]
    names = ", ".join(conditions[:CONDITIONS_SHOWN]) + (", …" if len(conditions) > CONDITIONS_SHOWN else "")
    formulas = [shorten(f"{prediction.name}: {prediction.formula}") for prediction in suite.predictions[:1]]
    if len(suite.predictions) > 1:
        formulas.append(count_noun(len(suite.predictions) - 1, "more prediction"))
    return f"<Suite {suite.name!r}: {describe_size(suite)} ({names}); {'; '.join(formulas) or 'no predictions'}>"


def shorten(text: str, most: int = 160) -> str:
    """Return the text, or its beginning and an ellipsis."""
    return text if len(text) <= most else f"{text[:most]}…"


def suite_as_html(suite: Suite) -> str:
    """Return the name and size, the first item with its regions in columns, and the formulas."""
    item = suite.items[0]
    names = dict.fromkeys(region.name for sentence in item.sentences.values() for region in sentence.regions)
    rows = []
    for name, sentence in islice(item.sentences.items(), CONDITIONS_SHOWN):
        contents = {region.name: sentence.text[region.start : region.end] for region in sentence.regions}
        cells = [contents.get(region, "") for region in names] or [sentence.text]
        rows.append("".join(f"<td>{escape(cell)}</td>" for cell in (name, *cells)))
    if len(item.sentences) > CONDITIONS_SHOWN:
        rows.append("<td>…</td>")
    header = "".join(f"<th>{escape(name)}</th>" for name in ("condition", *(names or ["sentence"])))
    formulas = "".join(
        f"<li>{escape(p.name)}: <code>{escape(shorten(str(p.formula)))}</code></li>" for p in suite.predictions
    )
    return (
        f"<p><b>{escape(suite.name)}</b>: {describe_size(suite)}; item {escape(item.id)}:</p>"
        f"<table><tr>{header}</tr><tr>{'</tr><tr>'.join(rows)}</tr></table><ul>{formulas}</ul>"
    )
