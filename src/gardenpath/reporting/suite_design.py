"""The design of a suite for the terminal: an example item, and the predictions in words and as formulas."""

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from gardenpath.evaluation.chance import chance_of
from gardenpath.io.printable import plain_text
from gardenpath.io.terminal_table import Cell, Column, TerminalTable
from gardenpath.reporting.cell_formatting import format_percent
from gardenpath.reporting.formula_in_words import formula_in_words
from gardenpath.suites.display import describe_size
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.suite import Item, Suite

MARKS = {"ungrammatical": "*", "marginal": "??", "garden_path": "!"}
"""The mark before a sentence, by the metadata that lists the conditions it applies to (Hu et al. 2020, B.1.1)."""
MEANINGS = {"*": "ungrammatical", "??": "marginal", "!": "garden path, grammatical but surprising"}

NOTES = {"contrast": "contrast: {}", "modifier_of": "the items of {}, with a modifier", "phenomena": "touches on {}"}
"""Lines about metadata that is part of the design."""


def design_of_suite(suite: Suite) -> RenderableType:
    """Show the name, the phenomenon, an example item with its regions in columns, and the predictions."""
    about = [text for text in (suite.phenomenon, suite.circuit, describe_size(suite)) if text]
    parts: list[RenderableType] = [plain_text(suite.name, "bold"), plain_text(" · ".join(about), "dim"), Text()]
    parts.append(item_table(suite, suite.items[0]))
    for prediction in suite.predictions:
        parts += [Text(), *prediction_lines(suite, prediction)]
    parts.append(Text())
    parts += [plain_text(NOTES[key].format(suite.metadata[key]), "dim") for key in NOTES if key in suite.metadata]
    if suite.source:
        parts.append(plain_text(f"source: {suite.source}", "dim"))
    return Group(*parts, Text())


def item_table(suite: Suite, item: Item) -> TerminalTable:
    """Show one item: a row per condition, a column per region, a mark before ungrammatical sentences."""
    marks = condition_marks(suite.metadata)
    regions = next(iter(item.sentences.values())).regions
    # Formulas may refer to regions by number.
    names = [f"{number} {region.name}" for number, region in enumerate(regions, 1)] or ["sentence"]
    columns = [
        Column("condition", "name"),
        *([Column("")] if marks else []),
        *(Column(name, "words") for name in names),
    ]
    rows: list[list[Cell]] = []
    for condition in suite.conditions:
        sentence = item.sentences.get(condition.name)
        if sentence is None:
            continue
        cells = [sentence.text[region.start : region.end] for region in sentence.regions] or [sentence.text]
        mark = [Text(marks.get(condition.name, ""), style="red")] if marks else []
        rows.append([Text(condition.name, style="bold"), *mark, *cells])
    used = dict.fromkeys(marks[condition.name] for condition in suite.conditions if condition.name in marks)
    notes = [", ".join(f"{symbol} {MEANINGS[symbol]}" for symbol in used)] if used else []
    return TerminalTable(columns, rows, title=f"item {item.id}", notes=notes)


def condition_marks(metadata: Mapping[str, str]) -> dict[str, str]:
    """The mark of each condition that the metadata of a suite lists as ungrammatical, marginal or a garden path."""
    return {name: mark for key, mark in MARKS.items() for name in metadata.get(key, "").split()}


def prediction_lines(suite: Suite, prediction: Prediction) -> Iterator[RenderableType]:
    """Show a prediction: its name and chance, in words, as a formula."""
    chance = f"  (chance {format_percent(chance_of(prediction))} %)"
    yield Text.assemble(plain_text(prediction.name, "bold"), chance)
    sentences = suite.items[0].sentences
    formula = prediction.formula
    words = formula_in_words(formula, lambda named: sentences[named.condition].region(named.region).name)
    for text in (plain_text(words), plain_text(formula.text, "dim")):
        yield Padding(text, (0, 0, 0, 2), expand=False)
