"""One look per report: names, order, colours and shapes of models are those of every other figure."""

import itertools

import polars
import pytest

from gardenpath.reporting.figures.charts.look import Look, report_look, report_order
from gardenpath.reporting.figures.collect import all_figures
from small_figures import UNKNOWN, data_of, encodings, results, suite

SIZES = (12_000, 50_000, 100_000)


def models(*rows: tuple[str, str | None, int | None]) -> polars.DataFrame:
    schema = {"model": polars.String, "architecture": polars.String, "words": polars.Int64}
    return polars.DataFrame(list(rows), schema=schema, orient="row")


SERIES = models(
    *((f"{kind}/{words // 1000}k-{sample}", architecture, words)
      for kind, architecture in (("kn", "5-gram"), ("lstm", "LSTM"))
      for words in sorted(SIZES, key=str)  # as a shell lists them: 100k, 12k, 50k
      for sample in (1, 2)),
    ("smollm2", None, None),
)  # fmt: skip


def test_sizes_are_in_the_order_of_numbers() -> None:
    ordered = [
        f"{kind}/{size}-{sample}" for kind in ("kn", "lstm") for size in ("12k", "50k", "100k") for sample in (1, 2)
    ]
    assert report_order(SERIES) == [*ordered, "smollm2"]
    unknown = models(*((name, None, None) for name in ("b-100k", "gpt2-xl", "b-12k", "gpt2", "b-1.5M", "b-9k")))
    assert report_order(unknown) == ["b-9k", "b-12k", "b-100k", "b-1.5M", "gpt2-xl", "gpt2"]


def test_a_label_names_one_model() -> None:
    look = report_look(SERIES)
    assert len(set(look.models.values())) == SERIES.height
    assert look.models["kn/50k-1"] == "kn/50k-1"  # "50k-1" is an LSTM as well
    assert report_look(SERIES.head(6)).models["kn/50k-1"] == "50k-1"


def test_few_models_have_a_colour_and_a_shape_each() -> None:
    look = report_look(SERIES.tail(7))
    marks = [look.marks[name] for name in look.models.values()]
    assert len({mark.colour for mark in marks}) == len({mark.shape for mark in marks}) == 7
    assert look.classes["smollm2"] == "smollm2"


def test_many_models_are_coloured_by_architecture_with_size_as_shade() -> None:
    look = report_look(SERIES)
    assert look.marks["kn/12k-1"] == look.marks["kn/12k-2"]
    shades = [look.marks[f"kn/{size}-1"].colour for size in ("12k", "50k", "100k")]
    assert len(set(shades)) == 3
    assert shades[-1] == look.marks["5-gram"].colour
    assert sorted(shades, reverse=True) == shades  # darker with size
    assert {look.marks[f"{kind}/12k-1"].shape for kind in ("kn", "lstm")} == {"circle", "square"}
    assert look.marks["smollm2"].shape == "triangle-up"
    assert look.classes["lstm/50k-2"] == "LSTM, 50k words"


def test_names_that_a_report_does_not_know_have_colours_of_their_own() -> None:
    look = report_look(SERIES)
    scale = look.scale(["LSTM (other)", "LSTM", "5-gram"], "colour")
    assert len(set(scale["range"])) == 3
    assert Look().scale(["a", "b"], "colour") == Look().scale(["x", "y"], "colour") | {"domain": ["a", "b"]}


@pytest.mark.parametrize("number", [3, 12])
def test_all_figures_of_a_report_agree(number: int) -> None:
    facts = {
        str(name): UNKNOWN | {"architecture": architecture, "words": words, "perplexity": 100.0 + rank}
        for rank, (name, architecture, words) in enumerate(SERIES.reverse().head(number).iter_rows())
    }
    suites = [suite("sg/a", phenomenon="p", circuit="x"), suite("sg/b", phenomenon="p", circuit="y")]
    figures = all_figures(results(facts, suites))
    look = figures["score-by-model"].look
    shown: dict[tuple[str, str], set[str]] = {}
    for figure, channel in itertools.product(figures.values(), ("color", "shape")):
        for domain, values in encodings(figure.chart, channel):
            for name, value in zip(domain, values, strict=True):
                shown.setdefault((channel, name), set()).add(str(value))
    assert {name for _, name in shown} >= set(look.models.values())
    assert [key for key, found in shown.items() if len(found) > 1] == []
    orders = {tuple(dict.fromkeys(figure.table["model"])) for figure in figures.values() if "model" in figure.table}
    assert orders == {tuple(look.models)}
    labels = {row["model"] for figure in figures.values() for row in data_of(figure.chart) if "model" in row}
    assert labels == set(look.models.values())
