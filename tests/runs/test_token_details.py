"""Details of tokens in tables, folders and the store."""

from pathlib import Path

import numpy as np
import polars
import pytest
from polars.testing import assert_frame_equal
from typer.testing import CliRunner

import gardenpath as gp
from gardenpath.commands.app import app
from gardenpath.models.load import load_model
from gardenpath.runs.events import RunEvent, ScoringAdvanced
from gardenpath.runs.folder import TOKENS
from gardenpath.runs.run import run
from gardenpath.runs.spec import RunSpec
from gardenpath.runs.store import Store
from gardenpath.runs.stored_scoring import score_with_store
from gardenpath.runs.token_details import DETAILS
from gardenpath.scoring.score import ScoreOptions
from refusals import refused
from small_bigram import WORDS, Bigram
from small_models import TRAINING_TEXT, save_tiny, tiny_llama

TEXTS = [*TRAINING_TEXT, "The keys to the cabinet is on the table.", "The keys to the cabinets", "No", "The key"]
EVERYTHING = ("entropy", "rank", "top", "layers")
pytestmark = pytest.mark.usefixtures("one_thread")


class Described(Bigram):
    """The bigram model, which also gives the bits of all words."""

    def distribution(self, state: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The bits of all words after some rows."""
        return self.bits[state[rows]]


def test_scores_have_the_columns_that_are_wanted() -> None:
    model = Described()
    table = gp.score(model, ["the dog barks", "the dog"], details=("top", "entropy"), top=2, end=False).tokens()
    assert table.columns == ["sentence", "token", "start", "end", "bits", "known", "entropy", "top"]
    assert {name: table.schema[name] for name in ("entropy", "top")} == {
        name: DETAILS[name] for name in ("entropy", "top")
    }
    own = model.bits[WORDS.index("the")]
    best = np.argsort(own)[:2]
    assert table["top"][1].to_list() == [{"token": WORDS[id_], "bits": own[id_]} for id_ in best]
    assert table["entropy"][1] == pytest.approx((2**-own * own).sum())
    assert gp.score(model, "the dog", details="rank").tokens()["rank"].to_list() == [
        1 + (model.bits[-1] < model.bits[-1, 1]).sum(), 1 + (own < own[2]).sum(),
    ]  # fmt: skip


def test_tokens_are_spelled_as_in_a_text(llama_folder: Path) -> None:
    """With the space before a word; those that bring half a character are legible, too."""
    top = gp.score(f"hf:{llama_folder}", "The keys", details=("top",), top=400).tokens()["top"][0]
    spelled = top.struct.field("token").to_list()
    assert {" the", "The", "<|endoftext|>", "�"} <= set(spelled)


@pytest.mark.filterwarnings("ignore::gardenpath.errors.InputWarning")
def test_missing_bits_have_no_details_and_ends_none_of_their_own(tmp_path: Path) -> None:
    folder = save_tiny(tmp_path, tiny_llama(), symbols=["<|endoftext|>"])
    table = gp.score(f"hf:{folder}", TEXTS[:2], bos="none", end=True, details=EVERYTHING).tokens()
    first, end = polars.col("start") == 0, polars.col("token") == "<|endoftext|>"
    assert table.filter(first | end).select(*DETAILS).null_count().row(0) == (4, 4, 4, 4)
    assert table.filter(~first & ~end).select(*DETAILS).null_count().row(0) == (0, 0, 0, 0)
    assert table["layer_bits"].list.last().drop_nulls().to_list() == table.filter(~first & ~end)["bits"].to_list()


def test_runs_have_the_details_in_their_folder(llama_folder: Path, tmp_path: Path) -> None:
    chosen = {"models": [f"hf:{llama_folder}"], "suites": ["agreement"], "sample": 3, "store": tmp_path / "store"}
    plain = run(**chosen, out=tmp_path / "plain")  # type: ignore[arg-type]
    more = run(**chosen, details=EVERYTHING, top=4, out=tmp_path / "more")  # type: ignore[arg-type]
    assert plain.tokens().columns == list(TOKENS)
    assert_frame_equal(more.tokens().select(*TOKENS), plain.tokens())
    read = gp.read_run(tmp_path / "more")
    assert read == more
    assert {name: read.tokens().schema[name] for name in DETAILS} == DETAILS
    assert read.tokens()["top"].list.len().unique().to_list() == [4]
    assert read.spec.details == EVERYTHING
    assert "details" not in plain.manifest.spec
    assert "top" not in plain.manifest.spec
    assert "details" not in plain.manifest.options["score"]
    refused("details, top differ", run, **chosen, out=tmp_path / "more")
    both = gp.read_runs([tmp_path / "more", gp.run(models=[Described()], suites=["agreement"], sample=3)])
    assert both.tokens().filter(model="bigram").select(*DETAILS).null_count().row(0)[0] > 0
    # Another run of the same is taken from the store, and has not to be computed.
    again = run(**chosen, details=EVERYTHING[::-1], top=4)  # type: ignore[arg-type]
    assert again.timing["computed"] == 0
    assert_frame_equal(again.tokens(), more.tokens())
    assert run(**chosen, details=("rank",)).timing["computed"] > 0  # type: ignore[arg-type]


def test_a_scoring_with_details_resumes_where_it_was_stopped(llama_folder: Path, tmp_path: Path) -> None:
    model = load_model(f"hf:{llama_folder}")
    options = ScoreOptions(memory=1, details=RunSpec(details=EVERYTHING).scoring.details)
    groups = [[0, 5]]
    whole = score_with_store(model, TEXTS, groups, options=options, store=None).scores
    steps = iter(range(2))

    def stop(event: RunEvent) -> None:
        if isinstance(event, ScoringAdvanced) and next(steps, None) is None:
            raise KeyboardInterrupt

    store = Store(tmp_path / "store")
    with pytest.raises(KeyboardInterrupt):
        score_with_store(model, TEXTS, groups, options=options, store=store, on_event=stop)
    resumed = score_with_store(model, TEXTS, groups, options=options, store=store)
    assert 0 < resumed.computed < len(TEXTS)
    remembered = score_with_store(model, TEXTS[::-1], [], options=options, store=store)
    assert remembered.computed == 0
    for text in range(len(TEXTS)):
        for found, row in ((resumed.scores, text), (remembered.scores, len(TEXTS) - 1 - text)):
            own, other = (
                scores.described[slice(*scores.encoded.offsets[at : at + 2])]  # type: ignore[index]
                for scores, at in ((whole, text), (found, row))
            )
            assert np.array_equal(own, other)
    store.close()


def test_earlier_specifications_keep_their_digest() -> None:
    before = RunSpec.model_fields.keys() - {"details", "top", "conventions"}
    spec = RunSpec(models=["a"], suites=["b"])
    assert spec.counted_fields().keys() <= before
    assert RunSpec(models=["a"], suites=["b"], details=["rank"]).digest() != spec.digest()
    refused("an entry of details is 'ranks'; it must be 'entropy', 'rank', 'top' or 'layers'", RunSpec, details="ranks")
    refused("top is 0; it must be at least 1", RunSpec, top=0)


def test_the_command_writes_details(llama_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("The key\n", encoding="utf-8")
    wanted = ["--detail", "rank", "--detail", "top", "--detail", "entropy", "--top", "1"]
    found = CliRunner().invoke(app, ["score", f"hf:{llama_folder}", str(tmp_path / "texts"), *wanted])
    head, first, *_ = found.stdout.splitlines()
    assert head.split("\t")[-4:] == ["known", "entropy", "rank", "top"]
    entropy, rank, top = first.split("\t")[-3:]
    assert float(entropy) > 0
    assert int(rank) >= 1
    assert top.startswith('[{"token": "')
