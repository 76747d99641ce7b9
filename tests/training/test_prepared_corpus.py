"""Corpora prepared for trainings: names known beforehand, nested samples, held-out sets, trees beside texts."""

import json
import random
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.training.corpora.prepared import PreparedCorpus, corpus_inputs, prepare_corpus
from gardenpath.training.corpora.treebank import read_treebank
from gardenpath.training.specs.corpora import PreparedCorpusSpec

NOUNS, VERBS = ("cat", "dog", "Fox", "hen"), ("sleeps", "runs")


def tree_lines(n: int) -> list[str]:
    """Trees with a number in each, so that no two are equal; each has a trace and six words."""
    rng = random.Random(1)
    return [
        f"( (S (NP-SBJ-1 (DT The) (NN {rng.choice(NOUNS)}) (CD {number})) (VP (VBZ {rng.choice(VERBS)})"
        f" (S (-NONE- *T*-1))) (-LRB- -LRB-) (. .)) )"
        for number in range(n)
    ]


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "trees.mrg"
    path.write_text("\n".join(tree_lines(200)) + "\n")
    return path


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(
        "".join(f"The {random.Random(n).choice(NOUNS)} {n} {'so ' * (n % 7)}sleeps .\n" for n in range(200))
    )
    return path


def lines(path: Path | None) -> list[str]:
    assert path is not None
    return path.read_text().splitlines()


def test_names_are_known_before_the_files_are_there(text: Path, tmp_path: Path) -> None:
    spec = PreparedCorpusSpec(text=text, split="blanks", sizes="100,300", samples=2, held_out=50)
    planned = PreparedCorpus(spec, tmp_path / "out")
    assert planned.text(100, 2) == tmp_path / "out" / "train-100-2.txt"
    assert planned.trees(100, 2) is None
    assert PreparedCorpus(PreparedCorpusSpec(text=text), tmp_path).text() == tmp_path / "train-all.txt"
    million = PreparedCorpusSpec(treebank="wsj", sizes=["125k", "1M"])
    assert PreparedCorpus(million, tmp_path).trees(125_000) == tmp_path / "train-125k-1.mrg"
    corpus = prepare_corpus(spec, tmp_path / "out")
    assert corpus == planned
    assert {path.name for path in (tmp_path / "out").iterdir()} == {path.name for path in planned.files}


@pytest.mark.parametrize("kind", ["text", "treebank"])
def test_samples_are_nested_and_apart_from_the_held_out_sets(
    text: Path, treebank: Path, tmp_path: Path, kind: str
) -> None:
    source = {"text": text} if kind == "text" else {"treebank": treebank}
    spec = PreparedCorpusSpec(**source, split="blanks", sizes="100,300", samples=2, held_out=60, seed=4)
    corpus = prepare_corpus(spec, tmp_path / "out")
    held_out = {*lines(corpus.valid_text), *lines(corpus.test_text)}
    assert len(held_out) == len(lines(corpus.valid_text)) + len(lines(corpus.test_text))
    for number in (1, 2):
        small, large = lines(corpus.text(100, number)), lines(corpus.text(300, number))
        assert set(small) < set(large)
        assert not held_out & set(large)
        assert 90 < sum(len(line.split()) for line in small) <= 100
    assert lines(corpus.text(300, 1)) != lines(corpus.text(300, 2))
    for described in corpus.manifest()["files"]:
        sentences = lines(tmp_path / "out" / described.get("text", described["file"]))
        assert described["sentences"] == len(sentences)
        assert described["tokens"] == sum(len(sentence.split()) for sentence in sentences)


def test_trees_and_texts_are_the_same_sentences(treebank: Path, tmp_path: Path) -> None:
    corpus = prepare_corpus(PreparedCorpusSpec(treebank=treebank, held_out=30), tmp_path / "out")
    for trees, text in (
        (corpus.trees(), corpus.text()), (corpus.valid_trees, corpus.valid_text), (corpus.test_trees, corpus.test_text)
    ):  # fmt: skip
        assert trees is not None
        assert [" ".join(tree.words()) for tree in read_treebank(trees)] == lines(text)
    together = [*lines(corpus.trees()), *lines(corpus.valid_trees), *lines(corpus.test_trees)]
    assert sorted(together) == sorted(line.replace(" (. .)) )", " (. .)))") for line in tree_lines(200))
    assert lines(corpus.text())[0].endswith("( .")
    assert corpus.split == "blanks"


def test_the_same_bytes_again_and_nothing_is_done_twice(treebank: Path, tmp_path: Path) -> None:
    spec = PreparedCorpusSpec(treebank=treebank, sizes="100", held_out=30)
    read: list[int] = []
    first = prepare_corpus(spec, tmp_path / "a", progress=read.append)
    assert sum(read) == treebank.stat().st_size
    second = prepare_corpus(spec, tmp_path / "b")
    for one, other in zip(first.files, second.files, strict=True):
        assert one.read_bytes() == other.read_bytes()
    read.clear()
    prepare_corpus(spec, tmp_path / "a", progress=read.append)
    assert not read
    first.text(100).write_text("damaged\n")
    prepare_corpus(spec, tmp_path / "a")
    assert first.text(100).read_bytes() == second.text(100).read_bytes()
    other = prepare_corpus(spec.model_copy(update={"seed": 1}), tmp_path / "a")
    assert other.text(100).read_bytes() != second.text(100).read_bytes()


def test_given_sets_are_copied(text: Path, tmp_path: Path) -> None:
    valid = tmp_path / "mine.txt"
    valid.write_text("It rains. It snows.\n\nIt ends.")
    spec = PreparedCorpusSpec(text=(text, text), layout="running", valid=valid, held_out=20, lower=True)
    corpus = prepare_corpus(spec, tmp_path / "out")
    assert lines(corpus.valid_text) == ["it rains.", "it snows.", "it ends."]
    drawn = {file["file"]: file for file in corpus.manifest()["files"]}
    assert drawn["valid.txt"]["tokens"] == 9
    assert 0 < drawn["test.txt"]["tokens"] <= 20
    assert drawn["test.txt"]["sentences"] + drawn["train-all.txt"]["sentences"] == 400
    assert corpus_inputs(spec) == {"text": (text, text), "valid": (valid,)}


def test_lower_case_of_trees_keeps_brackets(treebank: Path, tmp_path: Path) -> None:
    corpus = prepare_corpus(PreparedCorpusSpec(treebank=treebank, lower=True), tmp_path)
    assert all(line == line.lower() and line.endswith(" ( .") for line in lines(corpus.text()))
    assert "(-LRB- -LRB-)" in lines(corpus.trees())[0]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "neither text nor treebank"),
        ({"text": "a", "treebank": "b"}, "both text and treebank"),
        ({"text": "a", "sections": "2-21"}, "texts have no sections"),
        ({"text": "a", "samples": 2}, "of which sizes"),
        ({"text": "a", "valid": "v", "test": "t", "held_out": "1k"}, "held_out is 1,000, but valid and test are given"),
        ({"treebank": "a", "sections": "21-2"}, "sections '21-2' are not understood"),
    ],
)
def test_specifications_that_make_no_sense(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        PreparedCorpusSpec.from_fields(fields)


def test_corpora_that_are_too_small(text: Path, tmp_path: Path) -> None:
    spec = PreparedCorpusSpec(text=text, split="blanks", sizes="1M")
    with pytest.raises(InputError, match="a sample of 1,000,000 tokens from a corpus of"):
        prepare_corpus(spec, tmp_path / "out")
    with pytest.raises(InputError, match=r"has no sample 1 of 5 tokens; it has 1 of 1M"):
        PreparedCorpus(spec, tmp_path).text(5)
    with pytest.raises(InputError, match=r"has no whole corpus \(corpus.json\); prepare it"):
        PreparedCorpus(spec, tmp_path / "out").manifest()


def test_the_manifest_can_be_read_as_json(text: Path, tmp_path: Path) -> None:
    prepare_corpus(PreparedCorpusSpec(text=text), tmp_path)
    assert json.loads((tmp_path / "corpus.json").read_text())["spec"]["text"] == [str(text)]
