"""`gardenpath train multitask` as a user meets it."""

from pathlib import Path

import pytest

from gardenpath.models.trained.checkpoint import read_checkpoint
from gardenpath.models.trained.checkpoint_record import STATE, WEIGHTS
from small_supertags import tagged_corpora
from small_training import assert_same_tensors
from test_cli import gardenpath_command

QUICK = ("--preset", "small", "--width", "8", "--batch", "4", "--steps", "5", "--min-count", "1", "--budget", "2epochs")
TEXTS = ("--corpus", "train.txt", "--valid", "valid.txt")
SUPERTAGS = ("--supertags", "tags.txt", "--valid-supertags", "valid-tags.txt")


@pytest.fixture
def texts(texts: Path) -> Path:
    """With supertags."""
    tagged_corpora(texts)
    return texts


def command(*arguments: object, code: int = 0) -> tuple[str, str]:
    done = gardenpath_command("train", *arguments, *QUICK)
    assert done.returncode == code, done.stderr
    return done.stdout, " ".join(done.stderr.split())


def test_the_command(texts: Path) -> None:
    whole = ("multitask", *TEXTS, *SUPERTAGS, "--out", "model", "--test-supertags", "valid-tags.txt")
    out, err = command(*whole)
    assert out == "Evaluate it with: gardenpath run --model model\n"
    assert "tags.txt: 50 sentences, 200 words, 0.0% unknown to the text's vocabulary, 4 categories" in err
    assert "valid-tags.txt: 10 sentences, 40 words, 0.0% unknown to the text's vocabulary, 0.0% of categories" in err
    assert "best weights (epoch 2): validation perplexity" in err
    best = read_checkpoint(texts / "model").training["tagging_accuracy"]
    assert f"valid-tags.txt: tagging accuracy {best:.2%}" in err
    (texts / "pairs.tsv").write_text("good\tbad\nthe keys laugh .\tthe keys laughs .\n", encoding="utf-8")
    done = gardenpath_command("run", "--model", "model", "--suite", "pairs.tsv", "--json", "--out", "results")
    assert done.returncode == 0, done.stderr
    assert "weight was 1.0, is now 0.5" in command(*whole, "--weight", "0.5", code=2)[1]


def test_without_weight_it_is_plain_language_modelling(texts: Path) -> None:
    for kind, arguments in (("lstm", ()), ("multitask", (*SUPERTAGS, "--weight", "0"))):
        assert "tagging" not in command(kind, *TEXTS, *arguments, "--out", kind)[1]
    for name in (WEIGHTS, STATE):
        assert_same_tensors(texts / "lstm" / name, texts / "multitask" / name)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("tags.txt", "the|D dog|N\na dog|N\n", "tags.txt, line 2: 'a' has no |"),
        ("valid-tags.txt", "", "valid-tags.txt holds no sentence"),
        ("valid-tags.txt", "the|NP/N dog|N", "none of its 2 categories occurs in training"),
    ],
)
def test_supertags_that_cannot_be_learned_from(texts: Path, name: str, content: str, message: str) -> None:
    (texts / name).write_text(content, encoding="utf-8")
    assert message in command("multitask", *TEXTS, *SUPERTAGS, "--out", "model", code=2)[1]
    assert not (texts / "model" / WEIGHTS).exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "test-tags.txt: there is no such file"),
        ("the|NP/N dog|N", "test-tags.txt: none of its 2 categories occurs in training"),
    ],
)
def test_faults_of_the_test_file_are_told_before_training(texts: Path, content: str | None, message: str) -> None:
    if content is not None:
        (texts / "test-tags.txt").write_text(content, encoding="utf-8")
    _, err = command("multitask", *TEXTS, *SUPERTAGS, "--test-supertags", "test-tags.txt", "--out", "model", code=2)
    assert message in err
    assert not (texts / "model").exists()


def test_without_weight_nothing_is_tested(texts: Path) -> None:
    twin = (*TEXTS, *SUPERTAGS, "--weight", "0", "--test-supertags", "valid-tags.txt", "--out", "twin")
    _, err = command("multitask", *twin)
    assert "note: --test-supertags: with --weight 0 no categories are learned, so that none are tested" in err
