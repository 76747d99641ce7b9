"""The design of a suite as one would write it on the board."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gardenpath.evaluation.chance import chance_of
from gardenpath.reporting.formula_in_words import in_words
from gardenpath.runs.accuracy_text import percent
from gardenpath.suites.display import describe_size
from gardenpath.suites.prediction import Prediction, Reference
from gardenpath.suites.suite import Item, Suite

MARKS = {"ungrammatical": "*", "marginal": "??", "garden_path": "!"}
"""What stands before a sentence, by the metadata that lists the conditions concerned (Hu et al. 2020, B.1.1)."""

TOLD = {"contrast": "contrast: {}", "modifier_of": "the items of {}, with a modifier", "phenomena": "touches on {}"}
"""How metadata that is part of the design is told."""


def design(suite: Suite) -> RenderableType:
    """Name, phenomenon, an example item with its regions in columns, the predictions in words and as formulas."""
    facts = [fact for fact in (suite.phenomenon, suite.circuit, describe_size(suite)) if fact]
    parts: list[RenderableType] = [Text(suite.name, style="bold"), Text(" · ".join(facts), style="dim"), Text()]
    parts.append(example(suite, suite.items[0]))
    for prediction in suite.predictions:
        parts += [Text(), *predicted(suite, prediction)]
    parts.append(Text())
    parts += [Text(TOLD[key].format(suite.metadata[key]), style="dim") for key in TOLD if key in suite.metadata]
    if suite.source:
        parts.append(Text(f"source: {suite.source}", style="dim"))
    return Group(*parts, Text())


def example(suite: Suite, item: Item) -> Table:
    """One item: a row per condition, a column per region, a mark before what is not good English."""
    table = Table(title=escape(f"item {item.id}"), title_justify="left", box=None, pad_edge=False)
    marks = condition_marks(suite)
    table.add_column("condition", style="bold", no_wrap=True)
    if marks:
        table.add_column(justify="right", style="red", no_wrap=True)
    for name in region_names(item) or ["sentence"]:
        table.add_column(escape(name), header_style="dim")
    for condition in suite.conditions:
        sentence = item.sentences.get(condition.name)
        if sentence is None:
            continue
        cells = [sentence.text[region.start : region.end] for region in sentence.regions] or [sentence.text]
        mark = [marks.get(condition.name, "")] if marks else []
        table.add_row(escape(condition.name), *mark, *(escape(cell) for cell in cells))
    return table


def region_names(item: Item) -> list[str]:
    """The regions of an item, numbered as formulas may call them."""
    first = next(iter(item.sentences.values()))
    return [f"{number} {region.name}" for number, region in enumerate(first.regions, 1)]


def condition_marks(suite: Suite) -> dict[str, str]:
    """The mark of each condition that the metadata says is not good, or not easy, English."""
    return {name: mark for key, mark in MARKS.items() for name in suite.metadata.get(key, "").split()}


def predicted(suite: Suite, prediction: Prediction) -> Iterator[RenderableType]:
    """A prediction: its name and chance, then in words, then as formula."""
    likely = chance_of(prediction)
    yield Text.from_markup(f"[bold]{escape(prediction.name)}[/]  (chance {percent(likely)} %)")
    sentences = suite.items[0].sentences

    def name_of(reference: Reference) -> str:
        region = reference.region
        return "the whole sentence" if region == "*" else sentences[reference.condition].region(region).name

    yield Padding(Text(in_words(prediction.formula, name_of)), (0, 0, 0, 2), expand=False)
    yield Padding(Text(prediction.formula.text, style="dim"), (0, 0, 0, 2), expand=False)
