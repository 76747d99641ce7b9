"""`gardenpath train ngram`: from a text to a directory that is evaluated, and what becomes of unfit texts."""

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from gardenpath.commands.app import app
from gardenpath.errors import InputError, InputWarning
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.models.ngram import mapped_arrays
from gardenpath.models.ngram.arrays import NgramArrays, load_ngram_arrays
from gardenpath.models.ngram.kenlm_model import load_ngram, read_kenlm
from gardenpath.models.ngram.tables import BITS_PER_LOG10
from gardenpath.scoring.score import ScoreOptions, score_texts
from gardenpath.text.corpus_reader import TextBlock, block_words, text_blocks
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import read_vocabulary
from gardenpath.training.corpora.encoding import encode_corpus
from gardenpath.training.corpora.word_counts import count_words, vocabulary_of
from gardenpath.training.corpora.word_ids import block_tokens, encode_in_memory
from gardenpath.training.ngram import checkpoint as ngram
from gardenpath.training.ngram.checkpoint import score_text
from gardenpath.training.specs.parts import VocabularyChoice

RUNNER = CliRunner()
DATA = Path(__file__).parents[1] / "data"
TEXT = "The dog barked loudly.\nThe cat slept.\nThe cat barked again.\nThe 3 dogs slept there.\n" * 2
FILES = {"checkpoint.json", "model.arpa", "vocabulary.json", "weights.safetensors"}
pytestmark = pytest.mark.filterwarnings("ignore::gardenpath.errors.InputWarning")  # short texts have no discounts


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text(TEXT + "Foxes jumped.\n", encoding="utf-8")
    return path


def train(corpus: Path, folder: Path, *options: str) -> str:
    arguments = ["train", "ngram", "--corpus", str(corpus), "--out", str(folder), "--order", "3", *options]
    result = RUNNER.invoke(app, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_directory_that_is_evaluated(corpus: Path, tmp_path: Path) -> None:
    valid = tmp_path / "valid.txt"
    valid.write_text("The dog slept.\nThe fox barked 5 times.\n", encoding="utf-8")
    folder = tmp_path / "model"
    said = train(corpus, folder, "--valid", str(valid))
    assert f"Evaluate it with: gardenpath run --model {folder}" in said
    assert "UNK-NUM (1)" in said
    assert {path.name for path in folder.iterdir()} == {*FILES, "corpus"}
    record = json.loads((folder / "checkpoint.json").read_text(encoding="utf-8"))
    assert record["kind"] == "ngram"
    assert record["options"] == {"order": 3, "split": "penn", "smoothing": "interpolated"}
    facts = record["training"]
    # 17 + 3 words and full stops twice, and three at last; `Foxes` and `jumped` occur once.
    assert (facts["sentences"], facts["words"], facts["unknown"], facts["seed"]) == (9, 43, 2, None)
    model = load_model(str(folder))
    assert isinstance(model, NgramArrays)
    assert "UNK-LC-ed" in read_vocabulary(folder / "vocabulary.json").words
    scores = score_texts(model, valid.read_text(encoding="utf-8").splitlines(), ScoreOptions(end=True))
    assert scores.end_bits is not None
    both = np.concatenate([scores.bits, scores.end_bits])
    assert facts["perplexity"] == pytest.approx(2 ** both.mean())
    assert facts["perplexity_of_words"] == pytest.approx(2 ** scores.bits.mean())


@pytest.mark.parametrize("options", [(), ("--no-tokenize",), ("--lower", "--unknown", "single")])
def test_a_checkpoint_and_its_arpa_file_are_one_model(corpus: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    folder = tmp_path / "model"
    train(corpus, folder, *options)
    model, arpa = load_model(folder), load_model(f"ngram:{folder / 'model.arpa'}")
    texts = ['The dog cannot say "jumped" .', "Foxes don't sleep.", "wugs bark 5 times"]
    one, other = (score_texts(either, texts, ScoreOptions(end=True)) for either in (model, arpa))
    assert np.array_equal(one.encoded.starts, other.encoded.starts)
    assert np.array_equal(one.encoded.known, other.encoded.known)
    assert other.bits == pytest.approx(one.bits, abs=1e-4)
    assert other.end_bits == pytest.approx(one.end_bits, abs=1e-4)
    assert model.card.decisions == arpa.card.decisions
    check_model(arpa, texts)
    # Elsewhere nothing is known of how its text was cut.
    foreign = tmp_path / "foreign.arpa"
    shutil.copy(folder / "model.arpa", foreign)
    assert load_ngram(foreign).card.decisions["words"].startswith("regular expression")


def test_perplexity_per_word(corpus: Path, tmp_path: Path) -> None:
    train(corpus, tmp_path / "model")
    valid = tmp_path / "valid.txt"
    valid.write_text("The dog slept.\nThe fox barked.\n", encoding="utf-8")
    result = RUNNER.invoke(app, ["perplexity", str(tmp_path / "model"), str(valid), "--json"], catch_exceptions=False)
    measured = json.loads(result.stdout)
    bits = score_texts(load_ngram_arrays(tmp_path / "model"), valid.read_text(encoding="utf-8").splitlines()).bits
    assert (measured["words"], measured["ends"], measured["tokens"], measured["unknown_rate"]) == (8, 0, 8, 1 / 8)
    assert measured["perplexity_per_word"] == pytest.approx(2 ** (bits.sum() / 8))
    assert "12.5% of the words are unknown; only their class is predicted" in result.stderr
    by_blanks = ["perplexity", str(tmp_path / "model"), str(valid), "--json", "--split", "blanks"]
    measured = json.loads(RUNNER.invoke(app, by_blanks, catch_exceptions=False).stdout)
    assert (measured["words"], measured["tokens"]) == (6, 8)
    assert measured["perplexity_per_word"] == pytest.approx(2 ** (bits.sum() / 6))


def test_training_and_evaluation_mean_the_same_by_perplexity(corpus: Path, tmp_path: Path) -> None:
    valid = tmp_path / "valid.txt"
    valid.write_text("The dog slept.\nThe fox barked.\n", encoding="utf-8")
    train(corpus, tmp_path / "model", "--valid", str(valid))
    recorded = json.loads((tmp_path / "model" / "checkpoint.json").read_text(encoding="utf-8"))["training"]
    command = ["perplexity", str(tmp_path / "model"), str(valid), "--end", "--json"]
    measured = json.loads(RUNNER.invoke(app, command, catch_exceptions=False).stdout)
    assert (measured["words"], measured["ends"], measured["tokens"]) == (8, 2, 10)
    assert measured["perplexity_per_word"] == pytest.approx(recorded["perplexity"])


def test_several_models_are_compared_with_a_caveat(corpus: Path, tmp_path: Path) -> None:
    train(corpus, tmp_path / "first", "--min-count", "1")
    train(corpus, tmp_path / "alike", "--min-count", "1", "--order", "2")
    train(corpus, tmp_path / "smaller", "--vocabulary-size", "3")
    valid = tmp_path / "valid.txt"
    valid.write_text("The dog slept.\n", encoding="utf-8")

    def compare(*names: str) -> tuple[list[dict[str, object]], str]:
        command = ["perplexity", *(str(tmp_path / name) for name in names), str(valid), "--json"]
        done = RUNNER.invoke(app, command, catch_exceptions=False)
        return json.loads(done.stdout), done.stderr

    rows, said = compare("first", "alike")
    assert [row["model"] for row in rows] == [str(tmp_path / "first"), str(tmp_path / "alike")]
    assert {row["words"] for row in rows} == {4}
    assert "note" not in said
    _, said = compare("first", "smaller")
    assert "unknown to some models" in said
    assert "the models have different vocabularies" in said
    table = RUNNER.invoke(app, ["perplexity", str(tmp_path / "first"), str(tmp_path / "smaller"), str(valid)]).stdout
    assert "Counted: words without ends of sentences, which count in training (--end)." in " ".join(table.split())
    assert "perplexity" in table


def test_the_texts_own_words_as_lmplz_has_them(tmp_path: Path) -> None:
    # The file was written by `lmplz -o 3 --discount_fallback` of KenLM 0.3.0 from this text, which has an empty line.
    train(DATA / "kneser_ney.txt", tmp_path, "--min-count", "1", "--no-tokenize")
    expected, found = read_kenlm(DATA / "kneser_ney.arpa"), read_kenlm(tmp_path / "model.arpa")
    model = load_ngram_arrays(tmp_path)
    sentences = [*(DATA / "kneser_ney.txt").read_text(encoding="utf-8").splitlines(), "soon soon never a", "the"]
    for sentence in filter(str.strip, sentences):
        scores = [score for score, _, _ in expected.full_scores(sentence, bos=True, eos=True)]
        assert [score for score, _, _ in found.full_scores(sentence, bos=True, eos=True)] == pytest.approx(
            scores, abs=1e-5
        )
        own = score_texts(model, [sentence], ScoreOptions(end=True))[0]
        assert [*own.bits, own.end_bits] == pytest.approx([-score * BITS_PER_LOG10 for score in scores], abs=1e-4)


def test_prices_of_a_text_are_those_of_its_sentences(corpus: Path, tmp_path: Path) -> None:
    train(corpus, tmp_path / "model")
    model = load_ngram_arrays(tmp_path / "model")
    vocabulary = read_vocabulary(tmp_path / "model" / "vocabulary.json")
    ids = encode_corpus(corpus, Reading(), vocabulary, tmp_path / "ids").ids
    scores = score_texts(model, corpus.read_text(encoding="utf-8").splitlines(), ScoreOptions(end=True))
    bits = score_text(model, ids, 1)
    assert bits[ids != 1] == pytest.approx(scores.bits)
    assert bits[ids == 1] == pytest.approx(scores.end_bits)


@given(
    text=st.text(alphabet=" \n\t\x1c\u00a0aSΣİ</>", max_size=60) | st.text(alphabet=" \na", max_size=30),
    lower=st.booleans(),
)
def test_words_between_spaces_are_those_of_python(text: str, lower: bool) -> None:
    block, reading = TextBlock(Path("text.txt"), text, 1, 0), Reading(split="blanks", lower=lower)
    try:
        expected = [word for sentence in block_words(block, reading) for word in (*sentence, "</s>")]
    except InputError:
        with pytest.raises(InputError, match="reserved"):
            block_tokens(block, reading)
    else:
        assert block_tokens(block, reading).to_list() == expected


@pytest.mark.parametrize("options", [{}, {"min_count": 1, "vocabulary_size": 3, "unknown": "single"}, {"min_count": 1}])
@pytest.mark.parametrize("lower", [True, False])
def test_a_text_read_once_has_the_numbers_of_one_read_twice(
    corpus: Path, tmp_path: Path, options: dict[str, Any], lower: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gardenpath.text.corpus_reader.text_blocks", partial(text_blocks, size=20))
    reading = Reading(lower=lower)
    choice = VocabularyChoice(**options)
    vocabulary, once = encode_in_memory(corpus, reading, choice)
    assert vocabulary == vocabulary_of(count_words(corpus, reading), choice, lower=lower)
    twice = encode_corpus(corpus, reading, vocabulary, tmp_path)
    assert once.ids.tolist() == twice.ids.tolist()
    for name in ("sentences", "words", "unknown", "classes", "digest"):
        assert getattr(once, name) == getattr(twice, name)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", [], "corpus.txt holds no sentence; name a text file"),
        ("\n\n", [], "corpus.txt holds no sentence"),
        ("word\n", [], "has no word but 'word', 1 times"),
        ("a b\nc d\n", [], "no word occurs 2 times or more"),
        ("a b\n<s> a\n", ["--no-tokenize"], "line 2: a word is <s> or </s>"),
        ("a b\na b\n", ["--order", "5"], "order 5: the longest sentence has 2 words, .*give --order 4 or less"),
    ],
)
def test_texts_that_cannot_be_used(
    corpus: Path, tmp_path: Path, content: str, options: list[str], message: str
) -> None:
    corpus.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        train(corpus, tmp_path / "model", *options)
    assert not (tmp_path / "model" / "model.arpa").exists()


def test_the_longest_sentence_is_an_ngram(corpus: Path, tmp_path: Path) -> None:
    corpus.write_text("a b\na b\n", encoding="utf-8")
    train(corpus, tmp_path / "model", "--order", "4")
    assert load_ngram_arrays(tmp_path / "model").order == 4


def test_missing_texts_are_told_before_anything_is_estimated(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere.txt: there is no such file"):
        train(tmp_path / "nowhere.txt", tmp_path / "model")
    with pytest.raises(InputError, match=r"nowhere.txt: there is no such file"):
        train(corpus, tmp_path / "model", "--valid", str(tmp_path / "nowhere.txt"))
    assert not (tmp_path / "model" / "model.arpa").exists()


def test_short_texts_have_no_discounts(corpus: Path, tmp_path: Path) -> None:
    with pytest.warns(InputWarning, match="cannot be estimated"):
        train(corpus, tmp_path / "model")


def test_a_full_disk_keeps_the_older_model(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "model"
    train(corpus, folder)
    older = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    corpus.write_text(TEXT, encoding="utf-8")

    def full(*_: object) -> Sequence[object]:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(mapped_arrays, "write_contents", full)
    with pytest.raises(InputError, match=r"weights.safetensors cannot be written \(No space left on device\); free"):
        train(corpus, folder, "--overwrite")
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == older
    assert {path.name for path in folder.iterdir()} == FILES


def test_what_a_killed_process_left_is_no_obstacle(corpus: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "model" / ".unfinished" / "new"
    scratch.mkdir(parents=True)
    (scratch / "model.arpa").write_text("half of", encoding="utf-8")
    train(corpus, tmp_path / "model")
    assert {path.name for path in (tmp_path / "model").iterdir()} == FILES
    assert load_ngram_arrays(tmp_path / "model").order == 3


def test_the_held_out_text_is_looked_at_first(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ngram, "encode_in_memory", None)  # whoever reads the corpus fails otherwise
    (tmp_path / "empty.txt").touch()
    with pytest.raises(InputError, match=r"empty\.txt holds no sentence"):
        train(corpus, tmp_path / "model", "--valid", str(tmp_path / "empty.txt"))


def test_a_newer_model_takes_its_place(corpus: Path, tmp_path: Path) -> None:
    train(corpus, tmp_path / "model")
    older = load_ngram_arrays(tmp_path / "model").card
    corpus.write_text(TEXT, encoding="utf-8")
    kept = {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()}
    with pytest.raises(InputError, match=r"holds a model of other texts or options, .*--overwrite"):
        train(corpus, tmp_path / "model", "--order", "2")
    assert {path.name: path.read_bytes() for path in (tmp_path / "model").iterdir()} == kept
    train(corpus, tmp_path / "model", "--order", "2", "--overwrite")
    train(corpus, tmp_path / "model", "--order", "2")  # the same model again
    newer = load_ngram_arrays(tmp_path / "model").card
    assert newer.fingerprint != older.fingerprint
    assert newer.decisions["architecture"].startswith("2-gram")


def test_a_model_of_another_kind_is_kept(corpus: Path, tmp_path: Path) -> None:
    record = {"format": 1, "kind": "lstm", "options": {}, "training": {}}
    (tmp_path / "checkpoint.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(InputError, match="kind 'lstm', not 'ngram', which would be lost; name another"):
        train(corpus, tmp_path)
    train(corpus, tmp_path, "--overwrite")
    assert load_ngram_arrays(tmp_path).order == 3


def test_error_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    command = [sys.executable, "-m", "gardenpath", "train", "ngram", "--corpus", "empty.txt", "--out", "model"]
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stderr == "error: empty.txt holds no sentence; name a text file with sentences in it\n"
