"""Series on samples of treebanks: RNNGs, models of words alone; and multi-task LSTMs, whose supertags stay."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gardenpath.models.load import load_model
from gardenpath.models.trained.checkpoint_record import WEIGHTS
from gardenpath.training.corpora.treebank import read_words
from gardenpath.training.specs.architectures import SPECS, MultitaskSpec, RnngSpec
from gardenpath.training.train import TrainedModel, train
from small_supertags import tagged_lines
from small_training import assert_same_tensors, sentences

RECURRENT: dict[str, Any] = {"preset": "small", "width": 8, "budget": "1 epoch", "min_count": 1}
OPTIONS: dict[str, dict[str, Any]] = {
    "rnng": RECURRENT,
    "lstm": RECURRENT | {"batch": 4, "steps": 5},
    "on-lstm": RECURRENT | {"batch": 4, "steps": 5, "embedding": 8, "chunk": 2},
    "gpt2": {"preset": "tiny", "width": 8, "batch": 4, "steps": 24, "budget": "1 epoch", "vocabulary": "words"},
    "ngram": {"order": 2, "min_count": 1},
}
pytestmark = pytest.mark.filterwarnings("ignore::gardenpath.errors.InputWarning")  # short texts have no discounts


def tree_of(sentence: str) -> str:
    """A tree over a sentence: the words before the verb, and the rest."""
    *words, end = sentence.split()
    tagged = [f"(X {word})" for word in words]
    return f"( (S (NP-SBJ {' '.join(tagged[:2])}) (VP {' '.join(tagged[2:])} (-NONE- *T*)) (. {end})) )"


@pytest.fixture
def treebank(texts: Path) -> Path:
    """A folder with sections 00 and 01 to learn from, and 22 to validate with."""
    for section, n, seed in (("00", 60, 1), ("01", 60, 2), ("22", 10, 3)):
        folder = texts / "wsj" / section
        folder.mkdir(parents=True)
        (folder / f"wsj_{section}01.mrg").write_text("".join(f"{tree_of(text)}\n" for text in sentences(n, seed)))
    return texts / "wsj"


def curve(architecture: str, folder: Path, *, source: Path | None = None, **fields: Any) -> TrainedModel:
    drawn_from = source or folder
    named = {"treebank": drawn_from} if architecture == "rnng" else {"corpus": drawn_from, "layout": "trees"}
    given = OPTIONS[architecture] | named | {"sections": "0-1", "valid": folder / "22", "seed": 5} | fields
    return train(architecture, **given)


@pytest.mark.parametrize(
    "architecture",
    [name if name in ("ngram", "rnng") else pytest.param(name, marks=pytest.mark.slow) for name in OPTIONS],
)
def test_a_model_of_a_series_is_what_its_sample_of_trees_makes(treebank: Path, architecture: str) -> None:
    series = curve(architecture, treebank, sizes="80,160", samples=2, out=treebank.parent / "curve")
    assert [model.path.name for model in series.members] == ["80-1", "80-2", "160-1", "160-2"]
    samples = treebank.parent / "curve" / "samples"
    for number in (1, 2):
        small, large = (Counter(map(tuple, read_words(samples / f"wsj-{size}-{number}.mrg"))) for size in (80, 160))
        assert small < large
        assert (small.total(), large.total()) == (20, 40)  # every sentence has four words
    last = series.members[-1].record["training"]
    assert (last["corpus_name"], last["sample"], last["seed"]) == ("wsj-160", 2, 7)
    assert last["words"] == sum(len(words) for words in read_words(samples / "wsj-160-2.mrg"))
    alone = {"seed": 7, "sections": "", "out": treebank.parent / "alone"}
    model = curve(architecture, treebank, source=samples / "wsj-160-2.mrg", **alone)
    if architecture == "ngram":
        assert (model.path / "model.arpa").read_bytes() == (series.path / "160-2/model.arpa").read_bytes()
    else:
        assert_same_tensors(model.path / WEIGHTS, series.path / "160-2" / WEIGHTS)
    rows = json.loads((series.path / "series.json").read_text())["models"]
    assert all(row["held_out_unknown_rate"] is not None for row in rows)


@pytest.mark.parametrize("architecture", ["rnng", "ngram"])
def test_a_series_of_trees_resumes(treebank: Path, architecture: str) -> None:
    out = treebank.parent / "curve"
    curve(architecture, treebank, sizes="80", out=out)
    before = {path: path.stat().st_mtime_ns for path in (out / "80-1").rglob("*") if path.is_file()}
    curve(architecture, treebank, sizes="80,160", out=out)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert (out / "160-1" / "checkpoint.json").is_file()


@pytest.mark.parametrize("architecture", ["ngram", "gpt2"])
def test_models_of_a_treebank_read_texts_as_others_do(treebank: Path, architecture: str) -> None:
    """The treebank has spaces between words; a text to be evaluated need not."""
    model = curve(architecture, treebank, out=treebank.parent / "model")
    assert "split" in json.dumps(model.record["options"])
    tokenizer = load_model(str(model.path)).tokenizer
    spaced = next(read_words(treebank))
    natural = f"{' '.join(spaced[:-1])}{spaced[-1]}"
    assert tokenizer.pieces(tokenizer.encode([natural]).ids) == spaced


def test_a_series_of_multitask_models(texts: Path) -> None:
    for section, n, seed in (("00", 10, 4), ("02", 30, 3), ("24", 10, 5)):
        (texts / "ccg" / section).mkdir(parents=True)
        (texts / "ccg" / section / "tags.stagged").write_text(tagged_lines(n, seed))
    fields = RECURRENT | {"batch": 4, "steps": 5, "supertags": texts / "ccg", "valid": texts / "valid.txt"}
    fields |= {"supertag_sections": "2", "valid_supertags": texts / "ccg/00", "test_supertags": texts / "ccg/24"}
    series = train("multitask", corpus=texts / "train.txt", sizes="80,160", seed=5, out=texts / "curve", **fields)
    assert [model.record["training"]["words"] for model in series.members] == [80, 160]
    assert [model.record["training"]["spec"]["supertags"] for model in series.members] == [str(texts / "ccg")] * 2
    sample = texts / "curve/samples/train-160-1.txt"
    alone = train("multitask", corpus=sample, seed=6, out=texts / "alone", **fields)
    assert_same_tensors(alone.path / WEIGHTS, series.path / "160-1" / WEIGHTS)


def test_models_made_before_there_were_series_keep_their_digest(tmp_path: Path) -> None:
    fields = {"out": tmp_path, "valid": "v", "corpus": "c", "supertags": "s", "valid_supertags": "t", "treebank": "b"}
    for spec in (RnngSpec, MultitaskSpec):
        own = {name: value for name, value in fields.items() if name in spec.model_fields}
        counted = spec.from_fields(own).counted_fields()
        assert not counted.keys() & {"sizes", "samples", "sections", "supertag_sections"}
        assert "sizes" in spec.from_fields(own | {"sizes": "80"}).counted_fields()
    own = {"out": tmp_path, "valid": "v", "corpus": "c"}
    assert {"sizes", "samples"} <= SPECS["lstm"].from_fields(own).counted_fields().keys()
