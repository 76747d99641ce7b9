"""The published figures for BLiMP: one for each paradigm, and the means the authors give follow from them."""

from collections import Counter
from statistics import fmean

import pytest

from gardenpath.suites.published import PublishedAccuracy, published_accuracies

CORRECTED = "Warstadt et al. 2020, corrected results (models_summary.jsonl)"
HUMAN = "Warstadt et al. 2020, human validation (human_validation_summary.csv)"
PRINTED = "Warstadt et al. 2020, Table 3 as printed"

FIGURES = published_accuracies("blimp")
MAJORITY = "humans (majority of 5 pairs)"


def by_paradigm(model: str) -> dict[str, float]:
    """The figure of every paradigm."""
    return {f.suites[0]: f.accuracy for f in FIGURES if f.model == model and f.source != PRINTED}


def printed(model: str) -> list[PublishedAccuracy]:
    """The row of the printed table: all paradigms first, then one phenomenon after the other."""
    return [figure for figure in FIGURES if figure.model == model and figure.source == PRINTED]


def test_every_paradigm_has_its_figures() -> None:
    single = Counter((figure.source, figure.model) for figure in FIGURES if len(figure.suites) == 1)
    models = ["5-gram", "LSTM", "Transformer-XL", "GPT-2"]
    assert single == {(CORRECTED, model): 67 for model in models} | {(HUMAN, "humans"): 67, (HUMAN, MAJORITY): 67}
    assert len({figure.suites for figure in FIGURES if len(figure.suites) == 1}) == 67
    assert {(figure.prediction, figure.key) for figure in FIGURES} == {("full-sentence", "")}
    assert all(0 <= figure.accuracy <= 1 for figure in FIGURES)


@pytest.mark.parametrize(
    ("model", "percent"),
    [("5-gram", 61.2), ("LSTM", 69.8), ("Transformer-XL", 69.6), ("GPT-2", 83.0), ("humans", 88.6), (MAJORITY, 96.4)],
)
def test_overall_figures_are_unweighted_means(model: str, percent: float) -> None:
    # Published to 0.1; the figures are rounded to 0.001, so that their mean may be off by 0.05 more.
    assert 100 * fmean(by_paradigm(model).values()) == pytest.approx(percent, abs=0.05 + 0.05)


def test_the_printed_table_has_12_phenomena_and_all_of_them() -> None:
    for model in ("5-gram", "LSTM", "Transformer-XL", "GPT-2", "humans"):
        overall, *phenomena = (figure.suites for figure in printed(model))
        assert len(phenomena) == 12
        assert sorted(uid for suites in phenomena for uid in suites) == sorted(overall) == sorted(by_paradigm(model))


def test_the_printed_table_is_labelled_as_erratum() -> None:
    assert {figure.source for figure in FIGURES if "erratum" in figure.note} == {PRINTED}
    assert all(figure.note.startswith("erratum") for figure in FIGURES if figure.source == PRINTED)
    # What the erratum is about: the printed figure of GPT-2 does not follow from the paradigms, that of humans does.
    assert printed("GPT-2")[0].accuracy == pytest.approx(fmean(by_paradigm("GPT-2").values()) - 0.029, abs=0.001)


def test_the_printed_human_row_stands() -> None:
    humans = by_paradigm("humans")
    for figure in printed("humans"):
        # Both are rounded to 0.001.
        assert fmean(humans[uid] for uid in figure.suites) == pytest.approx(figure.accuracy, abs=0.001)
