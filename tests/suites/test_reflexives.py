"""The experiments of Hu, Chen & Levy (2020): every count of both editions, the designs, the criterion, the figures."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import InputError
from gardenpath.evaluation.evaluate import evaluate
from gardenpath.evaluation.region_bits import measured_regions
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.check import check_suite
from gardenpath.suites.formats.read import read_suites
from gardenpath.suites.formats.write import write_suites
from gardenpath.suites.published import published_accuracies
from gardenpath.suites.suite import Suite

Collection = Mapping[str, Suite]

EXPERIMENTS = {
    "1a-relative-clause": (70, 70),
    "1b-sentential-complement": (70, 70),
    "2a-relative-clause": (60, 75),
    "2b-sentential-complement": (60, 75),
    "3-prepositional-phrase": (60, 75),
}
"""Items in the paper's edition and in the released one."""

PRONOUNS = ("himself", "herself", "themselves")


@pytest.fixture(scope="module")
def paper() -> Collection:
    return {suite.name.removeprefix("reflexives/"): suite for suite in find_suites("reflexives")}


@pytest.fixture(scope="module")
def released() -> Collection:
    return {suite.name.removeprefix("reflexives/released/"): suite for suite in find_suites("reflexives/released")}


def sentences_per_item(experiment: str, pronoun: str) -> int:
    """Three conditions, each in all its variants."""
    if experiment.startswith("1"):
        return 48 if experiment.startswith("1a") else 12
    return 12 if pronoun == "themselves" else 6


@pytest.mark.parametrize("pronoun", PRONOUNS)
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_counts(paper: Collection, released: Collection, experiment: str, pronoun: str) -> None:
    for collection, items in zip((paper, released), EXPERIMENTS[experiment], strict=True):
        suite = collection[f"{experiment}-{pronoun}"]
        assert [item.id for item in suite.items] == [str(number) for number in range(1, items + 1)]
        assert all(len(item.sentences) == sentences_per_item(experiment, pronoun) for item in suite.items)
        kinds = Counter(condition.levels["kind"] for condition in suite.conditions)
        assert kinds == dict.fromkeys(
            ("baseline", "distractor", "ungrammatical"), sentences_per_item(experiment, pronoun) // 3
        )


def test_the_rows_of_the_released_files(released: Collection) -> None:
    rows = {name: sum(len(item.sentences) for item in suite.items) for name, suite in released.items()}
    assert [rows[f"1a-relative-clause-{pronoun}"] for pronoun in PRONOUNS] == [3360, 3360, 3360]
    assert [rows[f"1b-sentential-complement-{pronoun}"] for pronoun in PRONOUNS] == [840, 840, 840]
    for experiment in ("2a-relative-clause", "2b-sentential-complement", "3-prepositional-phrase"):
        assert [rows[f"{experiment}-{pronoun}"] for pronoun in PRONOUNS] == [450, 450, 900]
        distinct = [
            len({sentence.text for _, sentence in released[f"{experiment}-{pronoun}"].trials()}) for pronoun in PRONOUNS
        ]
        assert distinct == [450, 360, 810]


SENTENCES = [
    ("1a-relative-clause-himself", "1", "baseline_liked_a", "The mechanic that the author liked hurt himself."),
    ("1a-relative-clause-himself", "70", "distractor_admired_d",
     "The consultant that the bankers admired doubted himself."),
    ("1a-relative-clause-herself", "8", "ungrammatical_hated_b", "The pilots that the mechanic hated hurt herself."),
    ("1a-relative-clause-themselves", "1", "ungrammatical_hated_a",
     "The mechanic that the authors hated hurt themselves."),
    ("1b-sentential-complement-himself", "2", "distractor_c", "The bankers said that the author injured himself."),
    ("1b-sentential-complement-themselves", "70", "ungrammatical_b",
     "The consultants said that the mechanic doubted themselves."),
    ("2a-relative-clause-herself", "1", "baseline_a", "The girl that the mother liked saw herself."),
    ("2a-relative-clause-herself", "1", "distractor_b", "The mother that the girls liked saw herself."),
    ("2a-relative-clause-herself", "1", "ungrammatical_b", "The mothers that the girl liked saw herself."),
    ("2a-relative-clause-themselves", "1", "ungrammatical_female_b", "The mother that the girls liked saw themselves."),
    ("2b-sentential-complement-herself", "31", "distractor_b", "The women said that the girl saw herself."),
    ("2b-sentential-complement-himself", "60", "ungrammatical_a", "The boy said that the husbands shot himself."),
    ("3-prepositional-phrase-herself", "46", "ungrammatical_b", "The wives near the girl saw herself."),
    ("3-prepositional-phrase-themselves", "32", "distractor_male_a", "The boys near the man established themselves."),
]  # fmt: skip


@pytest.mark.parametrize(("name", "item", "condition", "text"), SENTENCES)
def test_sentences(paper: Collection, name: str, item: str, condition: str, text: str) -> None:
    found = next(other for other in paper[name].items if other.id == item)
    sentence = found.sentences[condition]
    assert sentence.text == text
    assert sentence.content("pronoun") == name.rpartition("-")[2]
    assert sentence.content("period") == "."


def test_the_released_edition_has_a_block_more(paper: Collection, released: Collection) -> None:
    def nouns(suite: Suite) -> list[str]:
        return list(dict.fromkeys(item.fillers["partner"] for item in suite.items))

    short, long = paper["2a-relative-clause-himself"], released["2a-relative-clause-himself"]
    assert nouns(short) == ["father/mother", "son/daughter", "man/woman", "husband/wife"]
    assert nouns(long) == ["father/mother", "son/daughter", "man/woman", "actor/wife", "husband/wife"]
    assert long.items[45].sentences["baseline_a"].text == "The boy that the actor liked saw himself."
    wives = released["2a-relative-clause-herself"].items
    assert wives[45].sentences == wives[60].sentences
    assert (wives[45].id, wives[60].id) == ("46", "61")


def test_each_noun_is_as_often_licensor_as_not(paper: Collection) -> None:
    for suite in paper.values():
        for item in suite.items:
            first = Counter(sentence.text.split()[1] for sentence in item.sentences.values())
            second = Counter(sentence.text.split(" the ")[1].split()[0] for sentence in item.sentences.values())
            assert sorted(map(stem, first.elements())) == sorted(map(stem, second.elements()))


def stem(noun: str) -> str:
    """The noun in the singular."""
    return {"men": "man", "women": "woman", "wives": "wife"}.get(noun, noun.removesuffix("s"))


def test_every_sentence_of_an_item_ends_alike(paper: Collection) -> None:
    for suite in paper.values():
        for item in suite.items:
            assert len({tuple(sentence.text.split()[-2:]) for sentence in item.sentences.values()}) == 1


def outcomes(suite: Suite, ungrammatical: float, distractor: float, baseline: float = 3.0) -> list[float]:
    """The credit of the first item, where the pronoun costs so much in all variants of each condition."""
    costs = {"ungrammatical": ungrammatical, "distractor": distractor, "baseline": baseline}
    kinds = {condition.name: condition.levels["kind"] for condition in suite.conditions}
    references = {reference for prediction in suite.predictions for reference in prediction.formula.references}
    bits = {reference: np.full(len(suite.items), costs[kinds[reference.condition]]) for reference in references}
    return [float(found.credit[0]) for found in evaluate(suite, measured_regions(bits), noise=1e-9)]


def test_the_criterion(paper: Collection) -> None:
    for name in ("1a-relative-clause-herself", "2a-relative-clause-himself", "3-prepositional-phrase-themselves"):
        suite = paper[name]
        assert [prediction.name for prediction in suite.predictions] == ["total", "vs-baseline", "vs-distractor"]
        assert outcomes(suite, 5, 4) == [1, 1, 1]
        assert outcomes(suite, 4, 5) == [0, 1, 0]
        assert outcomes(suite, 3, 3) == pytest.approx([1 / 3, 1 / 2, 1 / 2])


def test_variants_count_by_their_sum(paper: Collection) -> None:
    suite = paper["2a-relative-clause-himself"]
    total = suite.prediction("total").formula
    cheap_and_dear = {"a": 1.0, "b": 9.0}
    bits = {
        reference: np.array([cheap_and_dear[reference.condition[-1]] if "ungram" in reference.condition else 4.5])
        for reference in total.references
    }
    assert total.margin(bits) == pytest.approx(1.0)  # 1 + 9 against 4.5 + 4.5


def test_findings_of_the_checker(paper: Collection, released: Collection) -> None:
    assert [finding for suite in paper.values() for finding in check_suite(suite)] == []
    repeated = {name: [finding.kind for finding in check_suite(suite)] for name, suite in released.items()}
    for name, kinds in repeated.items():
        both_wives = not name.startswith("1") and not name.endswith("himself")
        assert kinds == (["repeated"] if both_wives else [])


def test_the_exported_file_reads_back(paper: Collection, tmp_path: Path) -> None:
    chosen = [paper["1a-relative-clause-himself"], paper["2b-sentential-complement-themselves"]]
    (path,) = write_suites(chosen, tmp_path / "all.tsv", "pairs")
    lines = path.read_text(encoding="utf-8").split("\n")
    assert lines[0] == "suite\tpronoun\titem\tcondition\tvariant\tsentence"
    assert lines[1] == (
        "reflexives/1a-relative-clause-himself\thimself\t1\tbaseline\tliked_a\t"
        "The mechanic that the author liked hurt himself."
    )
    assert len(lines) == 1 + 3360 + 720 + 1
    for suite, again in zip(chosen, read_suites(path), strict=True):
        assert again.name == suite.name
        assert [p.name for p in again.predictions] == [p.name for p in suite.predictions]
        assert [p.formula.root for p in again.predictions] == [p.formula.root for p in suite.predictions]
        texts = [(trial, sentence.text) for trial, sentence in suite.trials()]
        assert [(trial, sentence.text) for trial, sentence in again.trials()] == texts
        assert {sentence.content("pronoun") for _, sentence in again.trials()} == {suite.metadata["pronoun"]}


def test_one_file_each_in_a_folder(paper: Collection, tmp_path: Path) -> None:
    paths = write_suites(list(paper.values()), tmp_path / "folder", "pairs")
    assert len(paths) == 15
    (again,) = read_suites(paths[0])
    assert len(again.items) == 70


def test_published_accuracies(paper: Collection, released: Collection) -> None:
    table_3 = published_accuracies("reflexives")
    assert len(table_3) == 2 * 5 + 3 * 7
    cells = {(figure.suites[0], figure.model): figure.accuracy for figure in table_3}
    assert cells["reflexives/2a-relative-clause-himself", "RNNG"] == 0.24
    assert cells["reflexives/3-prepositional-phrase-himself", "BERT"] == 0.99
    assert all(
        [name.removeprefix("reflexives/") in paper for name in figure.suites] == [True] * 3 for figure in table_3
    )
    others = published_accuracies("reflexives/released")
    assert len(others) == 93 * 3 + 4
    assert {name for figure in others for name in figure.suites} == {suite.name for suite in released.values()}


@pytest.mark.parametrize("experiment", ["1a-relative-clause", "1b-sentential-complement"])
@pytest.mark.parametrize("model", ["BERT", "TransXL", "JRNN", "GRNN"])
def test_table_3_is_the_mean_of_the_released_accuracies(experiment: str, model: str) -> None:
    by_pronoun = [
        figure.accuracy
        for figure in published_accuracies("reflexives/released")
        if (figure.prediction, figure.model) == ("total", model)
        and experiment in figure.suites[0]
        and figure.source.endswith("released accuracies")
    ]
    (printed,) = (
        figure.accuracy
        for figure in published_accuracies("reflexives")
        if figure.model == model and experiment in figure.suites[0]
    )
    assert len(by_pronoun) == 3
    assert sum(by_pronoun) / 3 == pytest.approx(printed, abs=0.0051)


def test_suites_with_and_without_variants_are_not_mixed(paper: Collection, tmp_path: Path) -> None:
    mixed = [paper["2a-relative-clause-himself"], *find_suites("agreement")]
    with pytest.raises(InputError, match="suite 'agreement' has no variants; write it to a separate file"):
        write_suites(mixed, tmp_path / "all.tsv", "pairs")


HEADER = "suite\tpronoun\titem\tcondition\tvariant\tsentence\n"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "s\thimself\t1\tbaseline\ta\tThe boy saw her.\n",
            r"line 2: the pronoun 'himself' is not a word of 'The boy saw",
        ),
        ("s\thimself\t1\tgood\ta\tThe boy saw himself.\n", r"line 2: the condition is 'good', not 'baseline'"),
    ],
)
def test_faults_of_a_table_of_variants(tmp_path: Path, lines: str, message: str) -> None:
    path = tmp_path / "x.tsv"
    path.write_text(HEADER + lines, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_suites(path)
