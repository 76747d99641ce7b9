"""Published models in runs: the protocols of their papers, conventions, perplexity, SLOR."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import gardenpath as gp
import literal_jrnn
import literal_txl
import small_jrnn
import small_txl
from gardenpath.commands.app import app
from gardenpath.errors import InputWarning
from gardenpath.runs.run import run
from gardenpath.runs.spec import RunSpec
from gardenpath.suites.suite import Suite
from refusals import refused

GOOD, BAD = "The keys to the cabinet are on the table .", "The keys to the wardens is on the table ."
SUITE = Suite.from_pairs([(GOOD, BAD)], name="pairs")

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model of each kind."""
    folder = tmp_path_factory.mktemp("published")
    for name, write in (("txl", small_txl.write_txl), ("jrnn", small_jrnn.write_jrnn)):
        (folder / name).mkdir()
        write(folder / name)
    return folder


def txl_bits(text: str) -> float:
    """LM Zoo: nothing first, the first word has 0 bits, no end."""
    ids = [small_txl.WORDS.index(word if word in small_txl.WORDS else "<unk>") for word in text.split()]
    weights = {name: tensor.numpy() for name, tensor in small_txl.draw_weights(small_txl.CONFIG).items()}
    return sum(literal_txl.literal_bits(small_txl.CONFIG, weights, ids, zeros=True))


def jrnn_bits(text: str, *, end: bool) -> float:
    """LM Zoo: <S> by its letters first, unknown words as <UNK>, over words only, with the end."""
    words = ["<S>", *(word if word in small_jrnn.WORDS else "<UNK>" for word in text.split())]
    codes = [[2, *word.encode(), 3, *[4] * (48 - len(word))] for word in words]
    targets = [small_jrnn.WORDS.index(word) for word in (*words[1:], "</S>")]
    outputs = len(small_jrnn.WORDS)
    bits = literal_jrnn.literal_bits(small_jrnn.draw_tensors(), codes, targets, outputs=outputs)
    return sum(bits) if end else sum(bits[:-1])


@pytest.mark.parametrize(
    ("protocol", "kind", "score"),
    [
        ("hu-2020", "txl", txl_bits),
        ("hu-2020", "jrnn", lambda text: jrnn_bits(text, end=True)),
        ("hu-chen-levy-2020", "txl", txl_bits),
        ("hu-chen-levy-2020", "jrnn", lambda text: jrnn_bits(text, end=False)),
    ],
)
def test_protocols_score_as_lm_zoo(folder: Path, protocol: str, kind: str, score: Callable[[str], float]) -> None:
    result = run(models=[f"{kind}:{folder / kind}"], suites=[SUITE], protocol=protocol)  # type: ignore[arg-type]
    assert result.outcomes()["margin"].to_list() == pytest.approx([score(BAD) - score(GOOD)], abs=1e-4)


def test_a_run_resumes_from_the_store(folder: Path, tmp_path: Path) -> None:
    models = [f"txl:{folder / 'txl'}", f"jrnn:{folder / 'jrnn'}"]
    first, again = (run(models=models, suites=[SUITE], store=tmp_path / "store.db") for _ in range(2))
    assert first.outcomes().equals(again.outcomes())
    other = run(models=models, suites=[SUITE], store=tmp_path / "store.db", conventions=("lm-zoo", "empty-memory"))
    assert (first.outcomes()["margin"] - other.outcomes()["margin"]).abs().min() > 1e-4


def test_conventions_by_command_and_toml(folder: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(f"{GOOD}\n{BAD}\n", encoding="utf-8")
    model = f"jrnn:{folder / 'jrnn'}"
    shown = CliRunner().invoke(app, ["perplexity", model, str(text), "--end", "--json", "--convention", "lm-zoo"])
    assert shown.exit_code == 0, shown.output
    measured = json.loads(shown.stdout)
    # The end of each sentence counts as a word.
    tokens = len(GOOD.split()) + len(BAD.split()) + 2
    bits = jrnn_bits(GOOD, end=True) + jrnn_bits(BAD, end=True)
    assert measured["perplexity_per_token"] == pytest.approx(2 ** (bits / tokens), rel=1e-4)
    assert 0 < measured["unknown_rate"] < 1
    (tmp_path / "spec.toml").write_text('conventions = ["words-only"]\n', encoding="utf-8")
    assert RunSpec.from_toml(tmp_path / "spec.toml", {}).conventions == ("words-only",)
    refused("an entry of conventions is 'lm zoo'; it must be 'lm-zoo'", RunSpec, conventions=["lm zoo"])
    refused(
        r"conventions is \('empty-memory',\), the protocol has \(\) \(txl: \('lm-zoo',\), jrnn", RunSpec,
        protocol="hu-2020", conventions=["empty-memory"],
    )  # fmt: skip
    assert RunSpec(conventions=["lm-zoo"]).digest() != RunSpec().digest()


def test_slor_is_refused_where_every_spelling_has_an_id(folder: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_text(GOOD, encoding="utf-8")
    refused(
        "an id for every spelling", run,
        models=[f"jrnn:{folder / 'jrnn'}"], suites=[SUITE], normalise="slor", unigrams=text,
    )  # fmt: skip


def test_scores_without_a_first_symbol(folder: Path) -> None:
    with pytest.warns(InputWarning, match="no beginning-of-sentence"):
        bits = gp.score(f"txl:{folder / 'txl'}", GOOD, bos="none").words()["bits"]
    assert np.isnan(bits[0])
    zero = gp.score(f"txl:{folder / 'txl'}", GOOD, bos="none", first="zero", conventions=("lm-zoo",)).words()["bits"]
    assert zero[0] == 0
    assert zero.sum() == pytest.approx(txl_bits(GOOD), abs=1e-4)


def test_published_models_are_listed() -> None:
    shown = json.loads(CliRunner().invoke(app, ["models", "list", "--json"]).stdout)
    assert {"grnn:FILE", "jrnn:DIR", "txl:DIR"} <= {form["spec"] for form in shown}
