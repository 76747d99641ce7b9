"""The design of a suite for the terminal: an example item, and the predictions in words and as formulas."""

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gardenpath.evaluation.chance import chance_of
from gardenpath.reporting.cell_formatting import format_percent
from gardenpath.reporting.formula_in_words import formula_in_words
from gardenpath.suites.display import describe_size
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Item, Suite

MARKS = {"ungrammatical": "*", "marginal": "??", "garden_path": "!"}
"""The mark before a sentence, by the metadata that lists the conditions it applies to (Hu et al. 2020, B.1.1)."""

NOTES = {"contrast": "contrast: {}", "modifier_of": "the items of {}, with a modifier", "phenomena": "touches on {}"}
"""Lines about metadata that is part of the design."""


def design_of_suite(suite: Suite) -> RenderableType:
    """Show the name, the phenomenon, an example item with its regions in columns, and the predictions."""
    about = [text for text in (suite.phenomenon, suite.circuit, describe_size(suite)) if text]
    parts: list[RenderableType] = [Text(suite.name, style="bold"), Text(" · ".join(about), style="dim"), Text()]
    parts.append(item_table(suite, suite.items[0]))
    for prediction in suite.predictions:
        parts += [Text(), *prediction_lines(suite, prediction)]
    parts.append(Text())
    parts += [Text(NOTES[key].format(suite.metadata[key]), style="dim") for key in NOTES if key in suite.metadata]
    if suite.source:
        parts.append(Text(f"source: {suite.source}", style="dim"))
    return Group(*parts, Text())


def item_table(suite: Suite, item: Item) -> Table:
    """Show one item: a row per condition, a column per region, a mark before ungrammatical sentences."""
    table = Table(title=escape(f"item {item.id}"), title_justify="left", box=None, pad_edge=False)
    marks = condition_marks(suite.metadata)
    table.add_column("condition", style="bold", no_wrap=True)
    if marks:
        table.add_column(justify="right", style="red", no_wrap=True)
    regions = next(iter(item.sentences.values())).regions
    # Formulas may refer to regions by number.
    for name in [f"{number} {region.name}" for number, region in enumerate(regions, 1)] or ["sentence"]:
        table.add_column(escape(name), header_style="dim")
    for condition in suite.conditions:
        sentence = item.sentences.get(condition.name)
        if sentence is None:
            continue
        cells = [sentence.text[region.start : region.end] for region in sentence.regions] or [sentence.text]
        mark = [marks.get(condition.name, "")] if marks else []
        table.add_row(escape(condition.name), *mark, *(escape(cell) for cell in cells))
    return table


def condition_marks(metadata: Mapping[str, str]) -> dict[str, str]:
    """The mark of each condition that the metadata of a suite lists as ungrammatical, marginal or a garden path."""
    return {name: mark for key, mark in MARKS.items() for name in metadata.get(key, "").split()}


def prediction_lines(suite: Suite, prediction: Prediction) -> Iterator[RenderableType]:
    """Show a prediction: its name and chance, in words, as a formula."""
    yield Text.from_markup(f"[bold]{escape(prediction.name)}[/]  (chance {format_percent(chance_of(prediction))} %)")
    sentences = suite.items[0].sentences
    formula = prediction.formula
    words = formula_in_words(formula, lambda named: sentences[named.condition].region(named.region).name)
    for text in (Text(words), Text(formula.text, style="dim")):
        yield Padding(text, (0, 0, 0, 2), expand=False)
