"""Files of an earlier version, without digests: a damaged one is refused, or gives other numbers, never a traceback."""

import shutil
from collections.abc import Callable
from pathlib import Path

from fuzzing.own_targets import read_results, read_store
from fuzzing.target import Target
from gardenpath.models.load import load_model
from gardenpath.models.trained.checkpoint_record import expand_series
from gardenpath.scoring.score import score_texts
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.token_set import read_token_set
from gardenpath.training.series import finished_members
from small_models import byte_level_tokenizer

MADE_BEFORE = Path(__file__).parents[1] / "data" / "made_before"


def copy(name: str) -> Callable[[Path], object]:
    """A function that copies a folder of an earlier version."""
    return lambda folder: shutil.copytree(MADE_BEFORE / name, folder, dirs_exist_ok=True)


def score_one(folder: Path) -> object:
    return score_texts(load_model(folder, beam="3/1"), ["the dog sleeps"]).bits.tolist()


def read_series(folder: Path) -> object:
    return finished_members(folder), [score_one(Path(model)) for model in expand_series([str(folder)])]


def write_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text(byte_level_tokenizer().to_str(), encoding="utf-8")


def read_tokenizer(folder: Path) -> object:
    tokens = read_token_set(folder / "tokenizer.json", Reading())
    return len(tokens), tokens.source.tokenizer.encode(["The keys are here."]).ids.tolist()  # type: ignore[union-attr]


OLDER_TARGETS = (
    # Not the Parquet files: polars may end the whole process on a damaged one ("memory allocation of … bytes failed"),
    # and only runs of before have no digests that are checked first.
    Target("older: run folder", copy("run"), read_results, share=4, files="*.json"),
    Target("older: n-gram", copy("ngram"), score_one, share=3),
    Target("older: LSTM", copy("lstm"), score_one, share=2, files="[cvw]*"),
    Target("older: RNNG", copy("rnng"), score_one, share=1, files="[cvw]*"),
    Target("older: series", copy("series"), read_series, share=1, files="series.json"),
    Target(
        "older: store", lambda folder: shutil.copy(MADE_BEFORE / "store.sqlite", folder), read_store, share=1,
        restore_all=True,
    ),
    Target("tokenizer.json", write_tokenizer, read_tokenizer, share=6),
)  # fmt: skip
