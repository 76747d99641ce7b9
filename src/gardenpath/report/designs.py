"""The design of a suite as one would write it on the board."""

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from gardenpath.evaluation.chance import chance
from gardenpath.report.tables import share
from gardenpath.suites.suite import Item, Suite


def design(suite: Suite) -> RenderableType:
    """Name, an example item with its regions in columns, the predictions with their chance, the source."""
    facts = [fact for fact in (suite.phenomenon, suite.circuit, f"{len(suite.items):,} items", suite.source) if fact]
    parts: list[RenderableType] = [Text(suite.name, style="bold"), Text(" · ".join(facts), style="dim")]
    parts.append(example(suite, suite.items[0]))
    for prediction in suite.predictions:
        likely = chance(prediction.formula) if prediction.chance is None else prediction.chance
        parts.append(Text.from_markup(f"[bold]{escape(prediction.name)}[/]  (chance {share(likely)} %)"))
        parts.append(Text(f"  {prediction.formula.text}"))
    return Group(*parts, Text())


def example(suite: Suite, item: Item) -> Table:
    """One item: a row per condition, a column per region."""
    table = Table(title=f"item {item.id}", title_justify="left", box=None, pad_edge=False)
    table.add_column("condition", style="bold")
    first = next(iter(item.sentences.values()))
    names = [f"{number} {region.name}" for number, region in enumerate(first.regions, 1)] or ["sentence"]
    for name in names:
        table.add_column(escape(name))
    for condition in suite.conditions:
        sentence = item.sentences.get(condition.name)
        if sentence is None:
            continue
        cells = [sentence.text[region.start : region.end] for region in sentence.regions] or [sentence.text]
        table.add_row(escape(condition.name), *(escape(cell) for cell in cells))
    return table
