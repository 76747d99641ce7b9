"""Tables and figures of the papers, from runs small enough to compute them by hand."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.reporting.analyses import Analysis
from gardenpath.reporting.figures.figure import Figure
from gardenpath.reporting.papers.beside_published import tie_rule
from gardenpath.reporting.papers.catalog import PAPERS, PaperChoice, find_paper, paper_report
from gardenpath.reporting.papers.marvin_linzen_2018 import describe_key
from gardenpath.reporting.papers.paper import PaperReport
from gardenpath.reporting.report import MissingPart, ReportEvent, report
from gardenpath.suites.published import published_accuracies
from small_published import published
from small_runs import SmallSuite, Tokens, pairs, write_run

DOCS = Path(__file__).parents[2] / "docs"
SENTENCES = {"full-sentence": "(*;%good%) < (*;%bad%)"}
MARVIN_LINZEN = {"full-sentence": "(*;%grammatical%) < (*;%ungrammatical%)"}
LICENSING = {
    "total": "[(pronoun;%ungrammatical_*%) > (pronoun;%baseline_*%)]"
    " & [(pronoun;%ungrammatical_*%) > (pronoun;%distractor_*%)]"
}


def part(made: PaperReport, name: str) -> Analysis | Figure:
    return next(one for one in made.parts if one.name == name)


def contents(made: PaperReport) -> dict[str, bool]:
    return dict(made.parts[0].table.select("part", "made").iter_rows())


# --- Hu et al. 2020 -------------------------------------------------------------------------------------------------


def generalization_run(folder: Path, model: str, margins: Sequence[Sequence[float]], **facts: object) -> Path:
    suites = [
        SmallSuite(f"syntactic-generalization/{name}", pairs(own), circuit=circuit)
        for (name, circuit), own in zip(
            (("number_prep", "Agreement"), ("cleft", "Long-Distance Dependencies"), ("fgd-embed3", "Licensing")),
            margins,
            strict=True,
        )
    ]
    return write_run(folder / model, suites, model=model, **facts)


@pytest.fixture(scope="module")
def generalization(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    tmp_path = tmp_path_factory.mktemp("generalization")
    shape = {"layers": 2, "hidden_units": 8, "embedding": 4}
    lstm = {"architecture": "LSTM", "corpus": "small"} | shape
    right, wrong = [1.0] * 4, [-1.0] * 4
    return [
        # A tie is wrong in this paper: 2 of 4 on number_prep.
        generalization_run(tmp_path, "one", ([1, 1, 0, -1], right, wrong), words=1000, perplexity=90.0,
                           parameters=100, **lstm),
        generalization_run(tmp_path, "two", ([1, 1, 1, 1], wrong, wrong), words=1000, perplexity=110.0,
                           parameters=200, **lstm),
        generalization_run(tmp_path, "large", (right, right, wrong), words=2000, perplexity=50.0, parameters=300,
                           **lstm),
        generalization_run(tmp_path, "kn", (wrong, wrong, right), words=1000, perplexity=200.0, architecture="5-gram"),
        generalization_run(tmp_path, "hub", ([1, 1, 1, -1], right, right)),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def hu_paper(generalization: list[Path]) -> PaperReport:
    corpus = generalization[0].parent / "small.txt"
    corpus.write_text("The dog barked.\nThe dog slept.\n", encoding="utf-8")
    return paper_report(generalization, PaperChoice("hu-2020", [corpus]))


def test_model_classes_of_hu_et_al(hu_paper: PaperReport) -> None:
    made = hu_paper
    table = part(made, "hu-2020-figure-1").table.filter(polars.col("source") == "these runs")
    # LSTM: (.5 + 1 + 1) / 3 on number_prep, (1 + 0 + 1) / 3 on cleft; fgd-embed3 is not averaged.
    assert dict(table.select("model_class", "accuracy").iter_rows()) == {
        "hub*": 0.875, "LSTM": pytest.approx((2.5 / 3 + 2 / 3) / 2), "n-gram": 0.0,
    }  # fmt: skip
    theirs = part(made, "hu-2020-figure-1").table.filter(polars.col("source") == "Hu et al. 2020")
    xl = published("syntactic-generalization").filter(
        polars.col("model") == "gpt-2-xl-pretrained", polars.col("suite").str.contains("/(?:number_prep|cleft)$")
    )
    expected = xl["accuracy"].mean()
    assert theirs.filter(polars.col("model_class") == "gpt-2-xl-pretrained*")["accuracy"].item() == expected
    by_circuit = part(made, "hu-2020-figure-5").table.filter(
        polars.col("source") == "these runs", polars.col("model_class") == "LSTM"
    )
    assert dict(by_circuit.select("circuit", "accuracy").iter_rows()) == {
        "Agreement": pytest.approx(2.5 / 3), "Long-Distance Dependencies": pytest.approx(2 / 3),
    }  # fmt: skip


def test_captions_of_model_classes_promise_no_interval_that_is_not_drawn(hu_paper: PaperReport, tmp_path: Path) -> None:
    assert "With 95 % intervals over models and suites" in part(hu_paper, "hu-2020-figure-1").caption
    suites = [SmallSuite("syntactic-generalization/cleft", pairs([1.0, -1.0]), circuit="Agreement")]
    made = paper_report([write_run(tmp_path / "run", suites)], "hu-2020")
    for name in ("hu-2020-figure-1", "hu-2020-figure-5"):
        assert part(made, name).table["low"].null_count() == part(made, name).table.height
        assert "interval" not in part(made, name).caption


def test_sizes_of_hu_et_al(hu_paper: PaperReport) -> None:
    made = hu_paper
    sizes = part(made, "hu-2020-table-1").table
    assert sizes.select("statistic", "small").rows() == [
        ("sentences", 2), ("tokens", 8), ("non-UNK types", 3), ("UNK types", 2),
    ]  # fmt: skip
    assert sizes["BLLIP-XS (Hu et al. 2020)"].to_list() == [40_000, 1_000_000, 24_000, 68]
    shapes = part(made, "hu-2020-table-2").table
    assert shapes.row(0) == ("LSTM", 2, 8, 4, "these runs")
    assert ("GPT-2", 12, 768, 768, "Hu et al. 2020") in shapes.rows()
    parameters, perplexities = (
        part(made, f"hu-2020-table-{number}").table.rows_by_key(["architecture", "source"], named=True, unique=True)
        for number in (3, 4)
    )
    assert parameters["LSTM", "these runs"]["1k words"] == 150
    assert parameters["LSTM", "these runs"]["2k words"] == 300
    assert parameters["RNNG", "Hu et al. 2020"]["42M words"] == 134_900_000
    assert perplexities["LSTM", "these runs"]["1k words"] == 100.0
    assert perplexities["n-gram", "these runs"]["1k words"] == 200.0
    assert perplexities["n-gram", "Hu et al. 2020"]["14M words"] == 125.58


def test_published_figures_of_hu_et_al_are_over_the_same_suites(hu_paper: PaperReport) -> None:
    # Figure 2: 41 released models, the LSTMs on the smallest corpus with the perplexity of Table 4.
    points = part(hu_paper, "hu-2020-figure-2-published").table
    assert points.height == 41
    lstm = points.row(by_predicate=polars.col("model") == "vanilla (bllip-xs, seed 0111)", named=True)
    scores = published("syntactic-generalization").filter(polars.col("suite").str.contains("/(?:number_prep|cleft)$"))
    own = scores.filter(polars.col("model") == "vanilla (bllip-xs, seed 0111)")
    assert (lstm["perplexity"], lstm["score"]) == (98.19, pytest.approx(own["accuracy"].mean()))
    # Figure 3: relative to the mean of these 41 models on each suite.
    controlled = scores.filter(polars.col("model").is_in(points["model"].to_list()))
    mean, rnng = (rows["accuracy"].mean() for rows in (controlled, controlled.filter(architecture="RNNG")))
    deltas = part(hu_paper, "hu-2020-figure-3-published").table
    found = deltas.filter(factor="architecture", level="RNNG")["delta"].item()
    assert found == pytest.approx(rnng - mean)
    assert {"GPT-2", "n-gram"} <= set(part(hu_paper, "hu-2020-figure-4-published").table["level"])
    for name in ("figure-2", "figure-3", "figure-4"):
        assert "Ties count as wrong." in part(hu_paper, f"hu-2020-{name}").caption
        assert "the released results on the same suites" in part(hu_paper, f"hu-2020-{name}-published").caption


def test_printed_regressions_and_missing_perplexities(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    runs = [
        generalization_run(
            tmp_path, f"{kind}-{words}-{seed}", tuple(rng.choice([1.0, -1.0], 8) for _ in range(3)), architecture=kind,
            words=words, seed=seed, corpus="small", perplexity=None if kind == "RNNG" else 50.0,
        )
        for kind in ("LSTM", "RNNG")
        for words in (1000, 2000)
        for seed in (1, 2)
    ]  # fmt: skip
    made = paper_report(runs, "hu-2020")
    for name, numbers in (("4-2-table-regression", [-581, -574]), ("4-3-table-interactions", [-654, -623])):
        table = part(made, f"hu-2020-section-{name}-ablations").table
        assert table["aic_published"].to_list() == [None, *numbers]
    assert "Not recorded of RNNG: the training" in part(made, "hu-2020-table-4").caption


def test_modifiers_by_model_class_beside_published(tmp_path: Path) -> None:
    def suites(without: Sequence[float], modified: Sequence[float]) -> list[SmallSuite]:
        return [
            SmallSuite(f"syntactic-generalization/{name}", pairs(own), circuit="Long-Distance Dependencies",
                       metadata=metadata)
            for name, own, metadata in (("cleft", without, {}), ("cleft_modifier", modified, {"modifier_of": "cleft"}))
        ]  # fmt: skip

    lstm = {"architecture": "LSTM", "words": 1000, "corpus": "small"}
    runs = [
        write_run(tmp_path / "one", suites([1, 1, 1, 1], [1, 1, -1, -1]), model="one", **lstm),
        write_run(tmp_path / "two", suites([1, 1, -1, -1], [-1, -1, -1, 0]), model="two", **lstm),
    ]
    table = part(paper_report(runs, "hu-2020"), "hu-2020-figure-6").table
    means = {(row["model_class"], row["modifier"]): row["accuracy"] for row in table.iter_rows(named=True)}
    # The two models of a class together, ties wrong: 6 of 8 without a modifier, 2 of 8 with one.
    assert (means["LSTM", "without"], means["LSTM", "with"]) == (0.75, 0.25)
    # facts/syntactic_generalization: GRNN has 40 of 40 and 15 of 40.
    assert means["grnn* (Hu et al. 2020)", "without"] == 1.0
    assert means["grnn* (Hu et al. 2020)", "with"] == pytest.approx(15 / 40)


def test_missing_parts_are_named(generalization: list[Path]) -> None:
    made = paper_report(generalization[4:], "hu-2020")
    assert contents(made)["Figure 1"]
    assert not contents(made)["Table 5"]
    assert "--corpus" in made.missing["Table 1"]
    assert "not known of any model" in made.missing["Table 4"]
    assert "Table 5" not in made.missing  # it shows no result
    assert made.missing.keys() == {name for name, done in contents(made).items() if not done} - {"Table 5"}


def gpt2_runs(folder: Path) -> list[Path]:
    """Two seeds of GPT-2 with words and with sub-words at 1,000 training words, one of each at 2,000; and an LSTM."""
    words, subwords = "word-level GPT-2", "GPT-2"
    right = {
        (words, 1000, 1): (1, 0), (words, 1000, 2): (1, 2), (words, 2000, 1): (2, 2), (subwords, 1000, 1): (3, 2),
        (subwords, 1000, 2): (4, 3), (subwords, 2000, 1): (2, 4), ("LSTM", 1000, 1): (1, 1),
    }  # fmt: skip
    return [
        generalization_run(
            folder, f"{kind} {size} {seed}", (*([1.0] * number + [-1.0] * (4 - number) for number in numbers), [1.0]),
            architecture=kind, words=size, seed=seed, corpus="small", perplexity=100.0 * seed,
            vocabulary=50 if kind == subwords else 90,
        )
        for (kind, size, seed), numbers in right.items()
    ]  # fmt: skip


def test_word_level_and_sub_word_gpt2_are_apart(tmp_path: Path) -> None:
    made = paper_report(gpt2_runs(tmp_path), "hu-2020")
    classes = part(made, "hu-2020-figure-1").table.filter(polars.col("source") == "these runs")
    # (1 + 0 + 1 + 2 + 2 + 2) and (3 + 2 + 4 + 3 + 2 + 4) of 6 scores of 4 items each.
    assert dict(classes.select("model_class", "accuracy").iter_rows()) == {
        "GPT-2": 18 / 24, "word-level GPT-2": pytest.approx(8 / 24), "LSTM": 0.25,
    }  # fmt: skip
    deltas = part(made, "hu-2020-figure-3").table.filter(polars.col("factor") == "architecture")
    assert set(deltas["level"]) == {"GPT-2", "word-level GPT-2", "LSTM"}
    ours = part(made, "hu-2020-table-4").table.filter(polars.col("source") == "these runs")
    assert ours["architecture"].to_list() == ["GPT-2", "LSTM", "word-level GPT-2"]


def test_word_level_against_sub_word_gpt2_by_size(tmp_path: Path) -> None:
    made = paper_report(gpt2_runs(tmp_path), "hu-2020")
    figure = part(made, "hu-2020-section-4-5-means")
    rows = {(row["model_class"], row["size"]): row for row in figure.table.iter_rows(named=True)}
    assert rows["word-level GPT-2", "1k words"]["accuracy"] == 4 / 16
    assert rows["sub-word GPT-2", "1k words"]["accuracy"] == 12 / 16
    assert [rows["sub-word GPT-2", "1k words"][name] for name in ("models", "vocabulary", "perplexity")] == [
        2,
        50,
        150.0,
    ]
    # The released GPT-2 of one seed on BLLIP-LG, on the two suites that were run and are averaged.
    released = published("syntactic-generalization").filter(
        polars.col("model").str.starts_with("gpt-2 (bllip-lg"),
        polars.col("suite").str.contains("/(?:number_prep|cleft)$"),
    )
    printed = rows["sub-word GPT-2 (Hu et al. 2020)", "42M words"]
    assert (printed["accuracy"], printed["perplexity"]) == (released["accuracy"].mean(), 32.14)
    # Section 4.5 has no number for word-level models, and the table says so.
    absent = rows["word-level GPT-2 (Hu et al. 2020)", "42M words"]
    assert (absent["accuracy"], absent["note"][:11]) == (None, "not printed")
    assert "Ties count as wrong." in figure.caption
    assert "learned from the training text" in figure.caption
    table = part(made, "hu-2020-section-4-5-differences").table
    assert table.select("words", "sub_words", "word_level", "difference", "pairs", "suites").rows() == [
        (1000, 0.75, 0.25, 0.5, 2, 2), (2000, 0.75, 0.5, 0.25, 1, 2),
    ]  # fmt: skip
    one_kind = paper_report(gpt2_runs(tmp_path / "again")[3:], "hu-2020")
    assert one_kind.missing["Section 4.5"].startswith("needs models of word-level GPT-2, such as")


# --- Warstadt et al. 2020 -------------------------------------------------------------------------------------------


def paradigm(name: str, margins: Sequence[float], *, words: str = "boy") -> SmallSuite:
    return SmallSuite(f"blimp/{name}", pairs(margins, words=words), predictions=SENTENCES)


AGREEMENT = {
    "determiner_noun_agreement_1": [1.0, 1.0], "determiner_noun_agreement_2": [1.0, 1.0],
    "determiner_noun_agreement_irregular_1": [1.0, -1.0], "determiner_noun_agreement_irregular_2": [1.0, 0.0],
    "determiner_noun_agreement_with_adjective_1": [1.0, 1.0], "determiner_noun_agreement_with_adj_2": [1.0, -1.0],
    "determiner_noun_agreement_with_adj_irregular_1": [1.0, -1.0],
    "determiner_noun_agreement_with_adj_irregular_2": [-1.0, -1.0],
    "regular_plural_subject_verb_agreement_1": [1.0, 1.0], "regular_plural_subject_verb_agreement_2": [1.0, 1.0],
    "irregular_plural_subject_verb_agreement_1": [-1.0, 1.0], "irregular_plural_subject_verb_agreement_2": [1.0, 1.0],
    "distractor_agreement_relational_noun": [1.0, -1.0], "distractor_agreement_relative_clause": [-1.0, -1.0],
}  # fmt: skip


@pytest.fixture(scope="module")
def blimp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tmp_path = tmp_path_factory.mktemp("blimp")
    suites = [paradigm(name, margins) for name, margins in AGREEMENT.items()]
    return write_run(tmp_path / "blimp", suites, model="ours")


@pytest.fixture(scope="module")
def blimp_paper(blimp: Path) -> PaperReport:
    return paper_report([blimp], "blimp-2020")


def test_table_3_of_blimp_with_people(blimp_paper: PaperReport) -> None:
    rows = part(blimp_paper, "blimp-2020-table-3").table
    ours = rows.row(by_predicate=polars.col("model") == "ours", named=True)
    # Means over paradigms, with the tie as wrong: eight of determiners, six of subjects.
    assert ours["Determiner-noun agreement"] == pytest.approx((1 + 1 + 0.5 + 0.5 + 1 + 0.5 + 0.5 + 0) / 8)
    assert ours["Subject-verb agreement"] == pytest.approx((1 + 1 + 0.5 + 1 + 0.5 + 0) / 6)
    assert ours["overall"] == pytest.approx((5 + 4) / 14)
    people = rows.filter(polars.col("model") == "people", polars.col("source").str.contains("validation"))
    printed = rows.filter(polars.col("model") == "people", polars.col("source").str.contains("as printed"))
    assert people["Determiner-noun agreement"].item() == pytest.approx(0.922, abs=5e-4)
    assert printed["Determiner-noun agreement"].item() == 0.922
    assert printed["overall"].item() is None  # not all 67 were run
    assert "14 of 67" in part(blimp_paper, "blimp-2020-table-3").caption


def test_table_4_of_blimp_with_people(blimp_paper: PaperReport) -> None:
    table = part(blimp_paper, "blimp-2020-table-4-correlations").table
    people = published("blimp").filter(polars.col("model") == "humans", polars.col("suite").str.contains("agreement"))
    accuracy = {f"blimp/{name}": np.mean([margin > 0 for margin in own]) for name, own in AGREEMENT.items()}
    shared = people.filter(polars.col("suite").is_in(list(accuracy)))
    expected = np.corrcoef(shared["accuracy"], [accuracy[suite] for suite in shared["suite"]])[0, 1]
    assert table.filter(polars.col("model") == "ours")["people"].item() == pytest.approx(expected)


def test_printed_correlations_of_blimp(blimp_paper: PaperReport) -> None:
    table = part(blimp_paper, "blimp-2020-table-4-printed").table
    rows = {(row["model_a"], row["model_b"]): row for row in table.iter_rows(named=True)}
    assert len(rows) == 10
    assert (rows["people", "GPT-2"]["printed"], rows["LSTM", "5-gram"]["printed"]) == (0.54, 0.59)
    scores = published("blimp").filter(polars.col("suite").is_in([f"blimp/{name}" for name in AGREEMENT]))
    lstm, ngram = (scores.filter(polars.col("model") == name).sort("suite")["accuracy"] for name in ("LSTM", "5-gram"))
    assert rows["LSTM", "5-gram"]["r"] == pytest.approx(np.corrcoef(lstm, ngram)[0, 1])


def test_slopes_of_blimp_beside_published(tmp_path: Path) -> None:
    runs = [
        write_run(tmp_path / str(words), [paradigm("wh_island", [1.0] * right + [-1.0] * (4 - right))],
                  model=f"lstm-{words}", architecture="LSTM", corpus="text", words=words, perplexity=200.0 - right)
        for words, right in ((1000, 1), (2000, 2), (4000, 4))
    ]  # fmt: skip
    made = paper_report(runs, "blimp-2020")
    row = part(made, "blimp-2020-section-6-3-slopes").table.row(0, named=True)
    # .25, .5 and 1 at one doubling each: half of the difference between the last and the first.
    assert (row["phenomenon"], row["slope"], row["slope_published"]) == ("Island effects", pytest.approx(0.375), 0.0036)
    perplexities = part(made, "blimp-2020-section-6-3-perplexities").table
    assert perplexities.select("words", "perplexity", "source").rows() == [
        (1000, 199.0, "these runs"), (2000, 198.0, "these runs"), (4000, 196.0, "these runs"),
        (125_000, 595.0, "Warstadt et al. 2020"), (1_000_000, 212.0, "Warstadt et al. 2020"),
        (8_000_000, 92.8, "Warstadt et al. 2020"), (64_000_000, 53.0, "Warstadt et al. 2020"),
    ]  # fmt: skip
    assert (
        "Ties count as wrong. The paper draws its values, and prints none." in part(made, "blimp-2020-figure-4").caption
    )
    assert "No item has an unknown word." in part(made, "blimp-2020-figure-4").caption


def test_figures_of_blimp_count_ties_as_the_paper_does(tmp_path: Path) -> None:
    margins = [0.0, 0.0, 1.0, 1.0] * 5
    suites = [paradigm("wh_island", margins), paradigm("adjunct_island", margins)]
    for sentences in suites[1].items.values():  # longer ones, since of one length there is nothing to draw
        for tokens in sentences.values():
            tokens.insert(1, ("old", "subject", 1.0))
    made = paper_report([write_run(tmp_path / "run", suites)], "blimp-2020")
    lengths = part(made, "blimp-2020-figure-1").table.filter(polars.col("feature") == "length")
    assert (lengths["accuracy"] * lengths["n"]).sum() / lengths["n"].sum() == 0.5


def test_levels_of_blimp_with_people(blimp_paper: PaperReport) -> None:
    locality = part(blimp_paper, "blimp-2020-figure-2").table
    found = {(row["model"], row["level"]): row["accuracy"] for row in locality.iter_rows(named=True)}
    assert found["ours", "adjacent"] == 6 / 8
    assert found["ours", "adjective between"] == 4 / 8
    assert (found["ours", "no attractor"], found["ours", "relative clause"]) == (1.0, 0.0)
    # Section 6.1: the n-gram is 35 points worse with an adjective; LSTM 20 and Transformer-XL 5 with an attractor.
    ngram, lstm, xl = ("5-gram (published)", "LSTM (published)", "Transformer-XL (published)")
    assert found[ngram, "adjacent"] - found[ngram, "adjective between"] == pytest.approx(0.35, abs=5e-3)
    for model, points in ((lstm, 0.20), (xl, 0.05)):
        attractors = (found[model, "relational noun"] + found[model, "relative clause"]) / 2
        assert found[model, "no attractor"] - attractors == pytest.approx(points, abs=5e-3)
    assert found["people", "relational noun"] == pytest.approx(0.81)
    # Footnote 11: the LSTM is 5.2 points worse on irregular nouns, over the twelve paradigms.
    regular = part(blimp_paper, "blimp-2020-figure-3").table.filter(polars.col("model") == lstm)
    weights = {"Determiner-noun agreement": 4, "Subject-verb agreement": 2}
    means = {
        level: sum(row["accuracy"] * weights[row["group"]] for row in rows.iter_rows(named=True)) / 6
        for (level,), rows in regular.group_by("level")
    }
    assert means["regular"] - means["irregular"] == pytest.approx(0.052, abs=5e-4)


def test_levels_of_blimp_are_over_the_suites_of_all_models(tmp_path: Path) -> None:
    near, irregular, far = (f"determiner_noun_agreement_{name}" for name in ("1", "irregular_1", "with_adj_2"))
    runs = [
        write_run(tmp_path / model, [paradigm(name, [1.0, -1.0]) for name in (near, own)], model=model)
        for model, own in (("one", irregular), ("two", far))
    ]
    locality = part(paper_report(runs, "blimp-2020"), "blimp-2020-figure-2")
    # No level has the two suites that one model lacks, of ours as of the published models.
    assert set(locality.table["level"]) == {"adjacent"}
    expected = published("blimp").filter(polars.col("model") == "5-gram", polars.col("suite") == f"blimp/{near}")
    ngram = locality.table.filter(polars.col("model") == "5-gram (published)")
    assert ngram["accuracy"].to_list() == expected["accuracy"].to_list()
    assert set(locality.table["chance"]) == {0.5}
    assert "Excluded: 2 suites on which not all models were run." in locality.caption
    apart = [write_run(tmp_path / f"only {name}", [paradigm(name, [1.0])], model=name) for name in (near, far)]
    assert "run them on the same suites" in paper_report(apart, "blimp-2020").missing["Figure 2"]


def test_unknown_words_beside_regularity(tmp_path: Path) -> None:
    known = [("the", "subject", 2.0), ("runs", "verb", 4.0)]
    items: dict[str, dict[str, Tokens]] = {
        "1": {"good": known, "bad": [("the", "subject", 2.0), ("run", "verb", 5.0)]},
        "2": {"good": [("unknown", "subject", 9.0)], "bad": known},
    }
    irregular = SmallSuite("blimp/determiner_noun_agreement_irregular_1", items, predictions=SENTENCES)
    run = write_run(tmp_path / "run", [paradigm("determiner_noun_agreement_1", [1.0, 1.0]), irregular])
    row = part(paper_report([run], "blimp-2020"), "blimp-2020-footnote-11").table.row(0, named=True)
    assert (row["accuracy_regular"], row["accuracy_irregular"], row["accuracy_difference"]) == (1.0, 0.5, 0.5)
    assert (row["coverage_regular"], row["coverage_irregular"]) == (1.0, 0.5)
    # Among items without unknown words there is no difference.
    assert (row["accuracy_known_irregular"], row["accuracy_known_difference"]) == (1.0, 0.0)
    made = part(paper_report([run], "blimp-2020"), "blimp-2020-footnote-11")
    lstm = made.table.row(by_predicate=polars.col("model") == "LSTM (published)", named=True)
    assert lstm["accuracy_difference"] == pytest.approx(0.918 - 0.815)
    assert lstm["coverage_irregular"] is None
    assert "Items without unknown words: 75 %." in made.caption


def test_coverage_in_captions_is_that_of_whole_sentences(tmp_path: Path) -> None:
    items: dict[str, dict[str, Tokens]] = {
        str(number): {
            "good": [(subject, "subject", 2.0), ("runs", "verb", 4.0)],
            "bad": [(subject, "subject", 2.0), ("run", "verb", 5.0)],
        }
        for number, subject in enumerate(("the", "unknown", "unknown", "unknown"))
    }
    both = SENTENCES | {"one-prefix": "(verb;%good%) < (verb;%bad%)"}
    run = write_run(tmp_path / "run", [SmallSuite("blimp/wh_island", items, predictions=both)])
    # The verbs are all known, the whole sentences of one item of four.
    made = part(paper_report([run], "blimp-2020"), "blimp-2020-table-3")
    assert "Items without unknown words (full-sentence): 25 %." in made.caption


def test_files_of_the_authors_count_as_their_suites(tmp_path: Path) -> None:
    suite = SmallSuite("wh_island", pairs([1.0, 1.0]), predictions=SENTENCES)
    table = part(paper_report([write_run(tmp_path / "run", [suite])], "blimp-2020"), "blimp-2020-table-3").table
    assert table.filter(polars.col("model") == "people")["overall"].to_list() == [0.73]
    assert table["Island effects"][0] == 1.0


# --- Marvin & Linzen 2018 -------------------------------------------------------------------------------------------


def construction(name: str, margins: Sequence[float], *, keys: Sequence[str] = ()) -> SmallSuite:
    items: dict[str, dict[str, Tokens]] = {
        str(number): {
            "grammatical": [("author", "subject", 3.0), ("laughs", "verb", 4.0)],
            "ungrammatical": [("author", "subject", 3.0), ("laugh", "verb", 4.0 + margin)],
        }
        for number, margin in enumerate(margins)
    }
    levels = {str(number): {"key": key} for number, key in enumerate(keys)}
    return SmallSuite(f"marvin-linzen/{name}", items, predictions=MARVIN_LINZEN, levels=levels)


def test_tables_say_whether_the_protocol_of_the_paper_was_used(tmp_path: Path) -> None:
    suites, paper = [construction("simple_agrmt", [1.0, -1.0])], "marvin-linzen-2018"
    usual = write_run(tmp_path / "usual", suites, model="usual")
    as_paper = write_run(tmp_path / "as-paper", suites, model="as-paper", protocol=paper)
    captions = {
        f"Not scored by the protocol of the paper, as `gardenpath run --protocol {paper}` does.": [usual],
        f"Scored by the protocol of the paper, {paper}.": [as_paper],
        f"Scored by the protocol of the paper, {paper} ('as-paper'); not so scored: 'usual'.": [usual, as_paper],
    }
    for caption, folders in captions.items():
        made = paper_report(folders, paper)
        for name in ("table-1", "contents"):
            assert part(made, f"{paper}-{name}").caption.endswith(f"{caption} No item has an unknown word.")


def test_tables_of_marvin_and_linzen(tmp_path: Path) -> None:
    numbers = ("sing_MS_MV_sing_ES_EV", "plur_MS_MV_sing_ES_EV")
    suites = [
        construction("prep_anim", [1.0, 1.0, -1.0]),
        construction("prep_inanim", [0.0]),
        construction("obj_rel_across_anim", [1.0, -1.0], keys=numbers),
        construction("simple_agrmt", [1.0, -1.0]),
    ]
    made = paper_report([write_run(tmp_path / "run", suites, model="ours")], "marvin-linzen-2018")
    table = part(made, "marvin-linzen-2018-table-1")
    columns = ("construction", "ours", "single-task LSTM (published)", "people", "sentences", "sentences_published")
    # Animate and inanimate subjects are pooled, and the tie is wrong: 2 of 4 pairs; the order is that of the paper.
    assert table.table.select(columns).rows() == [
        ("simple", 0.5, 0.94, 0.96, 4, 280), ("across a prepositional phrase", 0.5, 0.57, 0.85, 8, 44800),
    ]  # fmt: skip
    assert "across an object relative clause (subject-verb agreement)" in table.caption  # lacks inanimate subjects
    conditions = part(made, "marvin-linzen-2018-table-a2").table
    assert set(conditions.select("condition", "ours", "multi-task LSTM (published)").rows()) == {
        ("singular / singular", 1.0, 0.77), ("plural / singular", 0.0, 0.36),
    }  # fmt: skip
    assert describe_key("plur_IS_IV_sing_ES") == "plural / singular, inanimate subject"
    assert describe_key("past") == "past"
    relatives = part(made, "marvin-linzen-2018-table-2").table
    assert relatives.select(
        "relative_clause", "main_subject", "embedded_subject", "ours", "people", "example"
    ).rows() == [
        ("across", "sing", "sing", 1.0, 0.96, "author laugh"), ("across", "plur", "sing", 0.0, 0.77, "author laugh"),
    ]  # fmt: skip
    relatives_caption = part(made, "marvin-linzen-2018-table-2").caption
    assert "A.2 has .36 here, and .53 for inanimate subjects (obj_rel_across_anim, plural / singular, " in (
        relatives_caption
    )
    assert tie_rule(published_accuracies("marvin-linzen")) == "wrong"
    for name in ("table-1", "table-2", "table-a2"):
        assert "Ties count as wrong, as in the paper." in part(made, f"marvin-linzen-2018-{name}").caption
    assert made.missing["Figure A3"] == "needs the suite marvin-linzen/obj_rel_within_anim"
    words = part(made, "marvin-linzen-2018-figure-a2")
    assert "the 2 of 2 items with 2 words" in words.caption
    means = words.table.filter(kind="condition")["log_probability"]
    assert set(means) == {-3.0, -4.0}  # the two margins of the ungrammatical verb, 1 and -1, average to 0


def test_section_6_of_marvin_and_linzen(tmp_path: Path) -> None:
    def item(subject: str, verb: str, other: str, margin: float) -> dict[str, Tokens]:
        return {
            condition: [("the", "subject", 1.0), (subject, "subject", 3.0), (form, "verb", 4.0 + own)]
            for condition, form, own in (("grammatical", verb, 0.0), ("ungrammatical", other, margin))
        }

    items = {
        "1": item("author", "swims", "swim", 1.0), "2": item("pilot", "swims", "swim", 0.0),
        "3": item("authors", "are", "is", 1.0), "4": item("author", "laughs", "laugh", -1.0),
    }  # fmt: skip
    suite = SmallSuite("marvin-linzen/simple_agrmt", items, predictions=MARVIN_LINZEN)
    run = write_run(tmp_path / "run", [suite], model="ours", words=50, perplexity=70.5)
    made = paper_report([run], "marvin-linzen-2018")
    verbs = part(made, "marvin-linzen-2018-section-6-verbs").table
    # A tie is wrong: one of two items with swims.
    assert verbs.rows() == [("are", 1, 1.0, 1.0), ("laughs", 1, 0.0, None), ("swims", 2, 0.5, 0.6)]
    assert verbs.columns == ["verb", "n", "ours", "single-task LSTM (published)"]
    perplexities = part(made, "marvin-linzen-2018-section-6-perplexity").table
    assert perplexities.select("model", "perplexity").rows() == [
        ("ours", 70.5), ("5-gram", 157.5), ("single-task LSTM", 78.65), ("multi-task LSTM", 61.1),
    ]  # fmt: skip


# --- Hu, Chen & Levy 2020 -------------------------------------------------------------------------------------------


def reflexives(pronoun: str, nouns: tuple[str, str], bits: Sequence[tuple[float, float, float]]) -> SmallSuite:
    """Items with the bits of the pronoun in the baseline, with a distractor, and in the ungrammatical sentence."""
    conditions = ("baseline_a", "distractor_a", "ungrammatical_a")
    items: dict[str, dict[str, Tokens]] = {
        str(number): {
            condition: [("The", "matrix", 1.0), (nouns[0], "matrix", 5.0), ("said", "matrix", 5.0),
                        ("the", "subject", 1.0), (nouns[1], "subject", 5.0), ("saw", "verb", 6.0),
                        (pronoun, "pronoun", value)]
            for condition, value in zip(conditions, own, strict=True)
        }
        for number, own in enumerate(bits)
    }  # fmt: skip
    formula = LICENSING["total"].replace("_*", "_a")
    fillers = {item: {"verb": "saw"} for item in items}
    name = f"reflexives/2b-sentential-complement-{pronoun}"
    return SmallSuite(name, items, predictions={"total": formula}, fillers=fillers)


@pytest.fixture
def reflexive_run(tmp_path: Path) -> Path:
    suites = [
        reflexives("himself", ("boy", "father"), [(1.0, 1.5, 3.0), (1.0, 1.2, 4.0)]),
        reflexives("herself", ("girl", "mother"), [(1.0, 3.0, 2.0), (1.0, 2.0, 4.0)]),
        reflexives("themselves", ("boys", "girls"), [(1.0, 1.0, 2.0), (1.0, 1.4, 0.5)]),
        construction("reflexive_sent_comp", [1.0, 0.0]),
    ]
    return write_run(tmp_path / "run", suites, model="ours", corpus="text", words=20, architecture="LSTM")


def test_tables_of_hu_chen_and_levy(reflexive_run: Path) -> None:
    made = paper_report([reflexive_run], "hu-chen-levy-2020")
    table = part(made, "hu-chen-levy-2020-table-3-accuracy").table
    columns = ("construction", "n", "chance", "tie_rule", "ours", "GRNN (published)", "BERT (published)")
    # himself 2 of 2, herself 1 of 2, themselves 1 of 2; the borrowed row counts its tie as wrong.
    assert table.select(columns).rows() == [
        ("sentential complement (Marvin & Linzen)", 2, 0.5, "wrong", 0.5, 0.86, 0.98),
        ("sentential complement (Exp. 2b)", 6, 1 / 3, "credit", pytest.approx(4 / 6), 0.99, 0.98),
    ]
    intervals = part(made, "hu-chen-levy-2020-table-3-intervals").table
    mine = intervals.filter(polars.col("model") == "ours")
    assert mine.select("construction", "n", "accuracy").rows() == table.select("construction", "n", "ours").rows()
    assert (mine["low"] < mine["accuracy"]).all()
    rnng = intervals.row(by_predicate=polars.col("model") == "RNNG", named=True)
    assert (rnng["accuracy"], rnng["low"], rnng["high"]) == (0.88, pytest.approx(0.833), pytest.approx(0.927))
    assert intervals.filter(model="5-gram")["low"].null_count() == 2
    tests = part(made, "hu-chen-levy-2020-section-5-4").table
    row = tests.row(
        by_predicate=(polars.col("contrast") == "distractor")
        & (polars.col("pronoun_a") == "himself")
        & (polars.col("pronoun_b") == "herself"),
        named=True,
    )
    assert (row["bits_a"], row["bits_b"], row["n"]) == (pytest.approx(0.35), pytest.approx(1.5), 2)
    assert row["difference"] == pytest.approx(-1.15)
    assert made.missing.keys() == {"Table 2", "Section 3.3"}  # no training text was named
    # A part that may have several figures is named alike with one.
    figure = part(made, "hu-chen-levy-2020-figure-2-pronouns-reflexives-2b-sentential-complement")
    assert figure.table.height == 6
    assert "With 95 % t intervals over items and the words they share." in figure.caption
    # Two items, .5 and .2 bits: the mean and 12.7 (the quantile of Student's t) standard errors of .15.
    low = figure.table.row(by_predicate=(polars.col("pronoun") == "himself") & (polars.col("contrast") == "distractor"),
                           named=True)["low"]  # fmt: skip
    assert low == pytest.approx(0.35 - 12.7062 * 0.15, abs=1e-4)
    stimuli = part(made, "hu-chen-levy-2020-table-1").table
    assert stimuli.select("experiment", "text").rows() == [
        *(("sentential complement (Marvin & Linzen)", text) for text in ("author laughs", "author laugh")),
        *[("sentential complement (Exp. 2b)", "The girl said the mother saw herself")] * 3,
    ]


def test_words_of_hu_chen_and_levy_in_a_training_text(reflexive_run: Path, tmp_path: Path) -> None:
    text = tmp_path / "train.txt"
    text.write_text(
        "He saw himself .\nThe girl saw her mother .\nThe boys saw themselves and boys .\n", encoding="utf-8"
    )
    unnamed = part(paper_report([reflexive_run], PaperChoice("hu-chen-levy-2020", [text])), "hu-chen-levy-2020-table-2")
    assert "No model records train as its corpus; name a text as NAME=FILE." in unnamed.caption
    made = paper_report([reflexive_run], PaperChoice("hu-chen-levy-2020", [f"text={text}"]))
    models = part(made, "hu-chen-levy-2020-table-2").table
    assert models.select("model", "training_tokens", "themselves", "himself", "herself").row(0) == (
        "ours", "20", "1", "1", "0",
    )  # fmt: skip
    nouns = part(made, "hu-chen-levy-2020-section-3-3-nouns").table
    assert nouns.select("gender", "noun", "count").rows() == [
        ("male", "all", 0), ("male", "boy", 0), ("male", "father", 0),
        ("female", "all", 2), ("female", "girl", 1), ("female", "mother", 1),
    ]  # fmt: skip
    verbs = part(made, "hu-chen-levy-2020-section-3-3-verbs").table
    assert verbs.select("verb", "count", "reflexive", "share").rows() == [("saw", 3, 2, pytest.approx(2 / 3))]


# --- All papers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PAPERS)
def test_the_matrix_of_the_docs_is_complete(name: str) -> None:
    matrix = (DOCS / "report.md").read_text(encoding="utf-8")
    parts = find_paper(name).parts
    assert len({part.name for part in parts}) == len(parts)
    for one in parts:
        made = "yes" if one.make else "no: shows no result of models"
        assert f"| `{name}` | {one.label} | {one.shows} | {one.needs} | {made} |\n" in matrix
    published_values = (DOCS / "papers" / "README.md").read_text(encoding="utf-8")
    section = published_values.partition(f"(`{name}`)\n")[2].partition("\n## ")[0]
    rows = [line.split(" | ")[0].removeprefix("| ") for line in section.splitlines() if line.startswith("| ")]
    assert rows == ["part", *(one.label for one in parts)]


def test_captions_name_the_rule_for_ties(hu_paper: PaperReport, blimp_paper: PaperReport) -> None:
    for collection, made, names in (
        ("syntactic-generalization", hu_paper, ("hu-2020-figure-1", "hu-2020-figure-5")),
        ("blimp", blimp_paper, ("blimp-2020-table-3", "blimp-2020-table-4-correlations", "blimp-2020-figure-2",
                                "blimp-2020-figure-3")),
    ):  # fmt: skip
        assert tie_rule(published_accuracies(collection)) == "wrong"
        assert ["Ties count as wrong" in part(made, name).caption for name in names] == [True] * len(names)


def test_unknown_paper() -> None:
    with pytest.raises(InputError, match="unknown paper 'linzen-2016'; the tables and figures of these can be made"):
        find_paper("linzen-2016")


def test_runs_without_a_suite_of_the_paper(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [SmallSuite("mine", pairs([1.0]))])
    with pytest.raises(InputError, match=r"no suite of Warstadt et al. 2020: run `gardenpath run --suite blimp` first"):
        paper_report([run], "blimp-2020")


def test_models_without_a_suite_of_the_paper_are_left_out(generalization: list[Path], blimp: Path) -> None:
    made = paper_report([blimp, *generalization[3:]], "blimp-2020")
    assert set(part(made, "blimp-2020-table-4-correlations").table["model"]) >= {"ours", "people"}
    assert not {"kn", "hub"} & set(part(made, "blimp-2020-table-3").table["model"])
    sizes = paper_report([write_other(blimp), *generalization[:1]], "hu-2020")
    assert part(sizes, "hu-2020-table-2").table["architecture"].to_list()[0] == "LSTM"
    assert 2 not in part(sizes, "hu-2020-table-2").table.filter(polars.col("source") == "these runs")["embedding"]


def write_other(blimp: Path) -> Path:
    """A run of another neural model on another collection."""
    other = blimp.parent / "other"
    suite = paradigm("wh_island", [1.0])
    return write_run(
        other, [suite], model="other", architecture="GPT-2", words=5, layers=1, hidden_units=2, embedding=2
    )


def test_page_and_files_of_a_paper(blimp: Path, tmp_path: Path) -> None:
    events: list[ReportEvent] = []
    page = report([blimp], tmp_path / "page.html", figures=tmp_path / "files", paper="blimp-2020",
                  on_event=events.append)  # fmt: skip
    text = page.read_text(encoding="utf-8")
    assert "Table 3: Accuracy by phenomenon, with people" in text
    assert "Tables and figures of Warstadt et al. 2020" in text
    missing = {event.part for event in events if isinstance(event, MissingPart)}
    assert missing == {"Figure 1", "Figure 4", "Section 6.3", "Figure 5"}  # Figure 1 needs more pairs
    names = {path.name for path in (tmp_path / "files").iterdir()}
    assert {"blimp-2020-table-3.csv", "blimp-2020-table-3.tex", "blimp-2020-figure-2.png"} <= names
