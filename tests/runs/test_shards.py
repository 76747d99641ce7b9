"""Shards of a run make the files of the whole run, byte for byte, whatever reads the sentences."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

import gardenpath as gp
from gardenpath.runs.events import RunEvent, ScoringAdvanced, ShareFinished
from gardenpath.runs.shard import Shard
from small_bigram import Bigram
from small_models import WordModel, byte_level_tokenizer
from small_on_lstm import save as save_on_lstm

pytestmark = pytest.mark.usefixtures("one_thread")

ARPA = Path(__file__).parents[1] / "data" / "kneser_ney.arpa"
NOUNS, VERBS = ("dog", "cat", "key", "author", "guard", "table"), ("barks", "falls", "is old", "likes it", "laughs")
PAIRS = [
    (f"The {noun} {place}{verb}.", f"The {noun} {place}{verb.replace('is', 'are').replace('s', '', 1)}.")
    for noun in NOUNS
    for place in ("", "there ", "that we saw ")
    for verb in VERBS
]
SUITE = gp.Suite.from_pairs(PAIRS, name="short")
"""180 short sentences: three batches, and some hundred prefixes."""
FILES = ("outcomes.parquet", "tokens.parquet", "manifest.json")


@pytest.fixture(autouse=True)
def many_small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut small suites into many parts, as large ones are."""
    for name in ("NODES_PACKED", "NODES_WALKED"):
        monkeypatch.setattr(f"gardenpath.scoring.score.{name}", 40)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory, llama_folder: Path, gpt2_folder: Path) -> dict[str, str]:
    """The names of models of all kinds."""
    folder = tmp_path_factory.mktemp("models")
    save_on_lstm(folder / "on-lstm")
    return {
        "packed": f"hf:{llama_folder}",
        "packed by the library": f"hf:{gpt2_folder}",
        "stepping": str(folder / "on-lstm"),
        "n-gram": f"ngram:{ARPA}",
        "masked": f"mlm:{save_masked(folder / 'masked')}",
    }


def save_masked(folder: Path) -> Path:
    """A masked model with random weights."""
    import torch
    from tokenizers import processors
    from transformers import PreTrainedTokenizerFast, RobertaConfig, RobertaForMaskedLM

    torch.manual_seed(0)
    tokenizer = byte_level_tokenizer(("<s>", "</s>", "<pad>", "<mask>"))
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 1), ("<s>", 0), add_prefix_space=False)
    roles = {"bos_token": "<s>", "eos_token": "</s>", "cls_token": "<s>", "sep_token": "</s>"}
    shape = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 32}
    config = RobertaConfig(vocab_size=400, max_position_embeddings=80, pad_token_id=2, initializer_range=0.5, **shape)
    RobertaForMaskedLM(config).save_pretrained(folder)
    others = {"pad_token": "<pad>", "mask_token": "<mask>"}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **roles, **others).save_pretrained(folder)
    return folder


def compute_shards(folder: Path, count: int, **fields: Any) -> list[Path]:
    """Compute all shards of a run, the last first."""
    fields.setdefault("suites", [SUITE])
    for number in range(count, 0, -1):
        gp.run_shard(shard=f"{number}/{count}", out=folder / f"{number}", on_event=lambda _: None, **fields)
    return [folder / f"{number}" for number in range(1, count + 1)]


def assert_same_run(folder: Path, whole: Path) -> None:
    for name in FILES:
        assert (folder / name).read_bytes() == (whole / name).read_bytes(), name


def assert_shards_make_the_run(folder: Path, *counts: int, **fields: Any) -> None:
    chosen = {"suites": [SUITE], "on_event": lambda _: None, **fields}
    gp.run(out=folder / "whole", store=folder / "store.sqlite", **chosen)
    for count in counts:
        shards = compute_shards(folder / str(count), count, **fields)
        objects = [] if "suites" in fields else [SUITE]
        gp.join_shards(shards[::-1], folder / f"joined-{count}", suites=objects, on_event=lambda _: None)
        assert_same_run(folder / f"joined-{count}", folder / "whole")


@pytest.mark.parametrize("kind", ["packed", "packed by the library", "stepping", "n-gram", "masked"])
def test_shards_make_the_run(tmp_path: Path, folders: dict[str, str], kind: str) -> None:
    model = gp.load_model(folders[kind])
    counts = (2, 7) if kind == "packed by the library" else (2, 7, 64)
    assert_shards_make_the_run(tmp_path, *counts, models=[model])


@pytest.mark.slow
def test_shards_of_the_embedded_model(tmp_path: Path) -> None:
    model = gp.load_model("smollm2")
    assert_shards_make_the_run(tmp_path, 2, 7, models=[model], suites=["agreement"], sample=3)


def test_models_of_all_kinds_in_one_run(tmp_path: Path, folders: dict[str, str]) -> None:
    """Their plans have different numbers of parts; they are loaded by name, and not at all when they are joined."""
    models = list(folders.values())
    assert_shards_make_the_run(tmp_path, 3, models=models, suites=["agreement"], sample=2, by="circuit")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("packed", {"details": ("entropy", "rank", "top", "layers"), "top": 3}),
        ("stepping", {"details": ("top",), "end": True}),
        ("masked", {"details": ("top", "rank")}),
        ("packed", {"word_boundary": "corrected", "end": True}),
        ("packed", {"bos": "none", "first": "zero"}),
        ("packed", {"normalise": "slor", "unigrams": ARPA.with_suffix(".txt")}),
        ("n-gram", {"protocol": "hu-2020"}),
    ],
    ids=["details", "top and ends", "masked details", "word boundaries", "nothing first", "SLOR", "protocol"],
)
def test_every_choice_is_kept(tmp_path: Path, folders: dict[str, str], kind: str, fields: dict[str, Any]) -> None:
    assert_shards_make_the_run(tmp_path, 3, models=[folders[kind]], **fields)


def test_sentences_that_differ_in_final_spaces(tmp_path: Path) -> None:
    pairs = [("the dog barks", "the dog bark "), ("the dog bark", "the dogs barks"), ("the dogs bark ", "the dog bark")]
    suite = gp.Suite.from_pairs(pairs, name="spaces")
    model = Bigram()
    whole = gp.run(models=[model], suites=[suite], on_event=lambda _: None)
    shards = compute_shards(tmp_path, 2, models=[model], suites=[suite])
    assert gp.join_shards(shards, suites=[suite]) == whole


def parts_of(folder: Path, count: int, model: Any, suites: list[str]) -> list[ShareFinished]:
    """Compute shards, and return which parts each has."""
    events: list[RunEvent] = []
    for number in range(1, count + 1):
        shard = f"{number}/{count}"
        gp.run_shard(models=[model], suites=suites, shard=shard, out=folder / f"{number}", on_event=events.append)
    return [event for event in events if isinstance(event, ShareFinished)]


def test_more_shards_than_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.scoring.score.NODES_WALKED", 1 << 15)
    found = parts_of(tmp_path, 4, Bigram(), ["agreement"])
    assert [(event.low, event.high, event.parts, event.computed) for event in found] == [
        (0, 0, 1, 0), (0, 0, 1, 0), (0, 1, 1, 1), (1, 1, 1, 0),
    ]  # fmt: skip
    joined = gp.join_shards([tmp_path / f"{number}" for number in range(1, 5)])
    assert joined.outcomes().height == 32


def interrupt(after: int) -> Callable[[RunEvent], None]:
    """Stop after some steps as an interrupted process does."""
    steps = itertools.count(1)

    def stop(event: RunEvent) -> None:
        if isinstance(event, ScoringAdvanced) and next(steps) == after:
            raise KeyboardInterrupt

    return stop


def test_a_stopped_shard_computes_the_rest_only(tmp_path: Path) -> None:
    model = WordModel(lambda context, word: len(word) + len(context) / 10)
    fields: Any = {"models": [model], "suites": ["agreement"], "shard": "1/2", "out": tmp_path / "1"}
    whole = gp.run(models=[model], suites=["agreement"], on_event=lambda _: None)
    with pytest.raises(KeyboardInterrupt):
        gp.run_shard(on_event=interrupt(3), **fields)
    events: list[RunEvent] = []
    gp.run_shard(on_event=events.append, **fields)
    (finished,) = [event for event in events if isinstance(event, ShareFinished)]
    assert finished.computed == finished.high - 3
    gp.run_shard(models=[model], suites=["agreement"], shard="2/2", out=tmp_path / "2", on_event=lambda _: None)
    assert gp.join_shards([tmp_path / "1", tmp_path / "2"]) == whole
    assert sorted(path.name for path in (tmp_path / "1").iterdir()) == ["results-1.npz", "shard.json"]


def test_a_finished_shard_is_not_computed_again(tmp_path: Path) -> None:
    model = Bigram()
    first, again = (parts_of(tmp_path, 2, model, ["agreement"]) for _ in range(2))
    assert sum(event.computed for event in first) == first[0].parts > 1
    assert not any(event.computed for event in again)


@given(some.lists(some.integers(0, 50), min_size=1, max_size=40), some.integers(1, 70))
def test_every_part_is_in_one_shard(work: list[int], count: int) -> None:
    shares = [Shard(number, count).share(work) for number in range(1, count + 1)]
    assert list(itertools.chain(*shares)) == list(range(len(work)))
    # A share reaches over its n-th of the work by at most half a part on either side.
    assert max(sum(work[part] for part in share) for share in shares) <= sum(work) / count + max(work)
