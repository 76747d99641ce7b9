"""GPT-2 from scratch: contexts, tokens of every kind, what is learned, and stopping at any moment."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from tokenizers import normalizers

from gardenpath.errors import InputError
from gardenpath.models.load import load_model
from gardenpath.models.trained.gpt2 import Gpt2Options
from gardenpath.scoring.score import ScoreOptions, score_texts
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import END
from gardenpath.training.corpora.token_set import TokenSet, build_subwords, read_token_set
from gardenpath.training.loop.loop import train_task
from gardenpath.training.specs.budget import Budget
from gardenpath.training.specs.parts import ContextBatching
from gardenpath.training.tasks.contexts import ContextBatches, cut_contexts
from gardenpath.training.tasks.cross_entropy import LEFT_OUT
from gardenpath.training.tasks.gpt2 import TransformerTask, build_transformer_task
from small_models import byte_level_tokenizer
from small_training import VOCABULARY_OF_ALL, assert_resumes, sentences, small_options, write_texts
from test_cli import gardenpath_command

BLANKS = Reading(split="blanks")
WORDS = TokenSet(VOCABULARY_OF_ALL)
pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture
def texts(texts: Path) -> Path:
    write_texts(texts, train=120)
    return texts


def task_of(
    texts: Path, tokens: TokenSet, *, seed: int = 0, sampled: int | None = None, **shape: Any
) -> TransformerTask:
    settings = {"width": 16, "layers": 2, "heads": 2, "positions": 12, "dropout": 0.1, **shape}
    training, held_out = (tokens.encode(texts / name, BLANKS, texts / "ids") for name in ("train.txt", "valid.txt"))
    return build_transformer_task(
        Gpt2Options(len(tokens), **settings),
        tokens.text_options(BLANKS),
        (training, held_out),
        ContextBatching(batch=4, sampled=sampled),
        seed=seed,
    )


def test_contexts_hold_whole_sentences() -> None:
    ids = np.array([5, 1, 6, 7, 1, 2, 3, 4, 5, 6, 7, 1, 8, 1, 1], dtype=np.int32)
    #               0     2        5                    12    14
    assert cut_contexts(ids, longest=5, end=1).tolist() == [[0, 5], [5, 10], [10, 12], [12, 15]]
    assert cut_contexts(ids, longest=100, end=1).tolist() == [[0, 15]]
    with pytest.raises(InputError, match="has no sentence"):
        cut_contexts(ids, longest=5, end=99)


def test_every_token_is_predicted_once_from_the_one_before() -> None:
    rng = np.random.default_rng(0)
    ids = np.array([*rng.integers(1, 9, size=400), 1], dtype=np.int32)
    spans = cut_contexts(ids, longest=9, end=1)
    batches = ContextBatches(ids, spans, rows=4, end=1, seed=(3, 0))
    before = np.array([1, *ids[:-1]])
    pairs = []
    for number in range(len(batches)):
        batch = batches[number]
        counted = batch.targets != LEFT_OUT
        assert batch.inputs.shape[0] <= 9
        assert int(counted.sum()) == batch.tokens
        pairs += list(zip(batch.inputs[counted].tolist(), batch.targets[counted].tolist(), strict=True))
    assert sorted(pairs) == sorted(zip(before.tolist(), ids.tolist(), strict=True))
    again = ContextBatches(ids, spans, rows=4, end=1, seed=(3, 0))
    other = ContextBatches(ids, spans, rows=4, end=1, seed=(3, 1))
    assert torch.equal(again[5].inputs, batches[5].inputs)
    assert not np.array_equal(other.order, batches.order)


def test_processes_share_batches() -> None:
    ids = np.array([2, 1] * 20 + [3, 1], dtype=np.int32)
    spans = cut_contexts(ids, longest=2, end=1)
    alone = ContextBatches(ids, spans, rows=4, end=1, seed=(0, 0))
    shares = [ContextBatches(ids, spans, rows=4, end=1, seed=(0, 0), share=(rank, 2)) for rank in range(2)]
    assert [len(alone), *map(len, shares)] == [6, 5, 5]
    for number in range(5):
        assert sum(share[number].tokens for share in shares) == alone[number].tokens
    with pytest.raises(InputError, match="cannot be shared by 3 processes"):
        ContextBatches(ids, spans, rows=4, end=1, share=(0, 3))


@torch.no_grad()
def test_what_is_padded_bears_on_nothing(texts: Path) -> None:
    task = task_of(texts, WORDS, dropout=0.0)
    task.module.eval()
    batch = task.batches(0, 0)[0]
    loss, tokens, _ = task.loss(batch, ())
    alone = 0.0
    for row in range(batch.inputs.shape[1]):
        length = int((batch.targets[:, row] != LEFT_OUT).sum())
        logits = task.module(input_ids=batch.inputs[None, :length, row]).logits[0]
        alone += float(torch.nn.functional.cross_entropy(logits, batch.targets[:length, row], reduction="sum"))
    assert float(loss) * tokens == pytest.approx(alone, rel=1e-5)


@pytest.mark.parametrize("unit", ["word", "subword"])
def test_it_learns_agreement(texts: Path, unit: str) -> None:
    tokens = WORDS if unit == "word" else build_subwords(texts / "train.txt", BLANKS, 290, None)
    tokens.save(texts / "model")
    options = small_options(optimizer="adamw", learning_rate=0.02, budget=Budget(25 if unit == "word" else 15))
    steps = list(train_task(task_of(texts, tokens, layers=1, positions=24), options, texts / "model"))
    assert steps[-1].validation is not None
    # Of the five symbols of a sentence, noun, number and verb are free; the rest can be learned.
    free = (2 * math.log(3) + math.log(2)) / 5
    found = math.log(min(step.validation.extra["word_perplexity"] for step in steps if step.validation is not None))
    assert free * 0.9 < found < free * 1.3
    model = load_model(str(texts / "model"))
    good, bad = (score_texts(model, [text]).bits.sum() for text in ("the keys laugh .", "the keys laughs ."))
    assert good + 1 < bad


@torch.inference_mode()
def test_perplexity_per_word_does_not_hang_on_tokens(texts: Path) -> None:
    words = task_of(texts, WORDS).validate()
    assert words.extra["word_perplexity"] == pytest.approx(words.perplexity)
    task = task_of(texts, build_subwords(texts / "train.txt", BLANKS, 290, None), dropout=0.0)
    subwords = task.validate()
    nats = subwords.loss * len(task.corpora[1].ids)
    assert subwords.extra["word_perplexity"] == pytest.approx(math.exp(nats / (80 + 20)))  # words and sentence ends


def test_validation_equals_scoring(texts: Path) -> None:
    tokens = build_subwords(texts / "train.txt", BLANKS, 290, None)
    tokens.save(texts / "model")
    lines = sorted(set(sentences(20, 2)))
    (texts / "valid.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    task = task_of(texts, tokens, positions=8)
    list(train_task(task, small_options(budget=Budget(1)), texts / "model"))
    alone = [tokens.source.tokenizer.encode([line]).lengths[0] + 1 for line in lines]  # type: ignore[union-attr]
    task.module.eval()
    # As long as one sentence fits, and no two.
    assert 2 * min(alone) > 8 >= max(alone)
    scores = score_texts(load_model(str(texts / "model")), lines, ScoreOptions(end=True))
    assert scores.end_bits is not None
    bits = float(scores.bits.sum() + scores.end_bits.sum())
    with torch.inference_mode():
        assert task.validate().loss * sum(alone) == pytest.approx(bits * math.log(2), rel=1e-5)


@pytest.mark.parametrize("sampled", [None, 4])
def test_stopped_anywhere_equals_uninterrupted(texts: Path, sampled: int | None) -> None:
    options = small_options(optimizer="adamw", learning_rate=0.01, checkpoint_every=0.0, budget=Budget(2))
    assert_resumes(lambda seed: task_of(texts, WORDS, sampled=sampled, seed=seed), options, texts, 3, 17, 1)


def test_lower_case_is_the_tokenizers_business(texts: Path) -> None:
    lower = Reading(split="blanks", lower=True)
    learned = build_subwords(texts / "train.txt", lower, 290, None)
    learned.save(texts / "saved")
    again = read_token_set(texts / "saved", lower)
    assert again == learned
    given = byte_level_tokenizer()
    given.normalizer = normalizers.NFC()
    given.enable_truncation(2)
    given.enable_padding(length=3)
    (texts / "given.json").write_text(given.to_str(), encoding="utf-8")
    (texts / "capitals.txt").write_text("THE KEYS LAUGH .\n", encoding="utf-8")
    for tokens in (again, read_token_set(texts / "given.json", lower)):
        ids = tokens.encode(texts / "capitals.txt", lower, texts / "ids").ids.tolist()
        scored = tokens.source.tokenizer.encode(["The keys laugh ."]).ids.tolist()  # type: ignore[union-attr]
        assert ids == [*scored, tokens.end_number]
        assert len(ids) > 3


def test_given_vocabularies(texts: Path) -> None:
    (texts / "vocabulary.json").write_text(VOCABULARY_OF_ALL.to_json(), encoding="utf-8")
    assert read_token_set(texts / "vocabulary.json", BLANKS) == WORDS
    assert (WORDS.unit, WORDS.end, WORDS.end_number, len(WORDS)) == ("word", END, 1, len(VOCABULARY_OF_ALL))
    lowered = read_token_set(texts / "vocabulary.json", Reading(lower=True)).source
    assert getattr(lowered, "lower", None) is True
    with pytest.raises(InputError, match="sentences end with </s>, not <eos>"):
        read_token_set(texts / "vocabulary.json", BLANKS, end="<eos>")
    with pytest.raises(InputError, match="is not a tokenizer"):
        read_token_set(texts / "train.txt", BLANKS)


def command(*arguments: object, out: str = "model", corpus: str = "train.txt", code: int = 0) -> tuple[str, str]:
    quick = ("--preset", "tiny", "--width", "8", "--batch", "4", "--steps", "24", "--vocabulary-size", "290")
    done = gardenpath_command(
        "train", "gpt2", "--corpus", corpus, "--valid", "valid.txt", "--out", out, *quick, *arguments
    )
    assert done.returncode == code, done.stderr
    return done.stdout, " ".join(done.stderr.split())


def test_from_a_text_to_an_evaluated_model(texts: Path) -> None:
    out, err = command("--budget", "1epoch")
    assert out == "Evaluate it with: gardenpath run --model model\n"
    assert "train.txt: 120 sentences, 480 words," in err
    assert "per word (ends of sentences count as words)" in err
    names = {path.name for path in (texts / "model").iterdir()}
    assert names == {
        *("checkpoint.json", "weights.safetensors", "tokenizer.json", "log.jsonl", "state.safetensors", "corpus")
    }
    record = json.loads((texts / "model" / "checkpoint.json").read_text())
    assert record["kind"] == "gpt2"
    assert record["options"]["tokens"] == {"unit": "subword", "end": "<|endoftext|>", "split": "penn"}
    assert record["training"]["word_perplexity"] > record["training"]["perplexity"] > 1
    pairs = "good\tbad\nthe keys laugh .\tthe keys laughs .\n"
    (texts / "pairs.tsv").write_text(pairs, encoding="utf-8")
    done = gardenpath_command("run", "--model", "model", "--suite", "pairs.tsv", "--json", "--out", "results")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["n"] == 1


def test_words_and_given_tokenizers_and_going_on(texts: Path) -> None:
    _, err = command("--vocabulary", "words", "--min-count", 1, "--budget", "1epoch", out="words")
    assert "0.0% unknown, 480 words (vocabulary of 17)" in err
    assert "words are unknown" not in err
    _, err = command("--vocabulary", "words", "--vocabulary-size", 5, "--budget", "1epoch", out="few")
    assert "of the words are unknown; only their class is predicted" in err
    command("--vocabulary", "words/vocabulary.json", "--budget", "1epoch", out="given")
    assert (texts / "given" / "vocabulary.json").read_text() == (texts / "words" / "vocabulary.json").read_text()
    (texts / "tokenizer.json").write_text(byte_level_tokenizer().to_str(), encoding="utf-8")
    command("--vocabulary", ".", "--budget", "1epoch", out="subwords")
    _, err = command("--vocabulary", "tokenizer.json", "--budget", "2epochs", out="subwords")
    assert "epoch 1," not in err
    assert "epoch 2," in err
    _, err = command("--vocabulary", "bpe", "--budget", "2epochs", out="subwords", code=2)
    assert "subwords contains a training started with different options" in err
    assert "vocabulary_from was" in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "bad.txt holds no sentence"),
        (b"word word\nword\n", "bad.txt has no word but 'word'; a model can learn nothing from one word"),
        (b"it is\ncaf\xe9 is open .\n", "bad.txt, line 2: the byte 0xe9 is not UTF-8"),
    ],
)
def test_texts_that_cannot_be_learned_from(texts: Path, content: bytes, message: str) -> None:
    (texts / "bad.txt").write_bytes(content)
    assert message in command(corpus="bad.txt", code=2)[1]
    assert not (texts / "model").exists()


def test_options_are_checked_before_the_corpus_is_read(texts: Path) -> None:
    for arguments, message in (
        (("--heads", "3"), "a width of 8 cannot be shared by 3 heads"),
        (("--vocabulary", "gpt3"), "--vocabulary gpt3: there is no such tokenizer; give bpe, words,"),
        (("--end-symbol", "<eos>"), "it is chosen for a given tokenizer only, not for bpe"),
    ):
        assert message in command(*arguments, corpus="absent.txt", code=2)[1]
