"""Nested samples: budgets kept, every smaller one within the larger, the same from the same seed."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from gardenpath.errors import InputError
from gardenpath.io.sizes import parse_size, size_name
from gardenpath.text.reading import Reading
from gardenpath.training.corpora.sampling import draw_order, draw_samples, write_samples
from gardenpath.training.corpora.sources import TextSource
from gardenpath.training.specs.corpora import SampleChoice

BLANKS = Reading(split="blanks")
LENGTHS = np.random.default_rng(1).integers(1, 30, size=2000).astype(np.int32)


@pytest.mark.parametrize(
    ("text", "size"), [("125k", 125_000), ("2M", 2_000_000), ("1/2M", 500_000), ("1.5m", 1_500_000), ("1_000", 1000)]
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size
    assert parse_size(size_name(size)) == size


@pytest.mark.parametrize("text", ["", "k", "0", "-1k", "many", "1/0M", "0.5"])
def test_sizes_that_are_none(text: str) -> None:
    with pytest.raises(InputError, match="is not a number of tokens"):
        parse_size(text)


@pytest.mark.parametrize("block", [1, 7])
def test_samples_are_nested_and_keep_their_budget(block: int) -> None:
    options = SampleChoice(sizes=(500, 2000, 20_000), samples=3, seed=5, block=block, held_out=1000)
    valid, test, *samples = draw_samples(LENGTHS, options)
    assert not np.any(valid.mask & test.mask)
    for series in range(3):
        small, middle, large = samples[3 * series : 3 * series + 3]
        assert not np.any(small.mask & ~middle.mask)
        assert not np.any(middle.mask & ~large.mask)
        for sample in (small, middle, large):
            assert sample.budget - 30 < sample.tokens <= sample.budget
            assert sample.tokens == LENGTHS[sample.mask].sum()
            assert not np.any(sample.mask & (valid.mask | test.mask))
    assert any(np.any(samples[0].mask != samples[3 * series].mask) for series in (1, 2))


def test_further_sizes_and_samples_leave_samples_as_they_were() -> None:
    (alone,) = draw_samples(LENGTHS, SampleChoice(sizes=(1000,), seed=3))
    many = draw_samples(LENGTHS, SampleChoice(sizes=(500, 1000, 4000), samples=2, seed=3))
    assert np.array_equal(alone.mask, many[1].mask)
    (other,) = draw_samples(LENGTHS, SampleChoice(sizes=(1000,), seed=4))
    assert not np.array_equal(alone.mask, other.mask)


def test_blocks_are_drawn_together() -> None:
    order = draw_order(10, block=4, rng=np.random.default_rng(0))
    assert sorted(order.tolist()) == list(range(10))
    place = order.tolist().index
    assert [place(1) - place(0), place(5) - place(4), place(9) - place(8)] == [1, 1, 1]


def test_whole_corpus_is_a_sample() -> None:
    (whole,) = draw_samples(LENGTHS, SampleChoice(sizes=(int(LENGTHS.sum()),)))
    assert whole.mask.all()


def test_sample_larger_than_the_corpus() -> None:
    with pytest.raises(InputError, match=f"a sample of 99,999 tokens from a corpus of {LENGTHS.sum():,}"):
        draw_samples(LENGTHS, SampleChoice(sizes=(99_999,)))
    with pytest.raises(InputError, match="without the held-out sets"):
        draw_samples(LENGTHS, SampleChoice(sizes=(int(LENGTHS.sum()),), held_out=100))


def test_more_held_out_than_there_is() -> None:
    lengths = np.full(10, 5, dtype=np.int32)
    with pytest.raises(InputError, match="30 tokens each for validation and test from a corpus of 50: hold out less"):
        draw_samples(lengths, SampleChoice(sizes=(5,), held_out=30))


def test_a_pipe_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    # Drawn in one reading and written in a second, which would find nothing.
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe is a pipe or a device, but is read more than once"):
        write_samples(TextSource((tmp_path / "pipe",), BLANKS), SampleChoice(sizes=(5,)), tmp_path / "samples")
    assert not (tmp_path / "samples").exists()


def test_sample_smaller_than_a_sentence() -> None:
    with pytest.raises(InputError, match="more than 1 tokens"):
        draw_samples(np.array([5, 6], dtype=np.int32), SampleChoice(sizes=(1,)))


@pytest.mark.parametrize("options", [{"sizes": ()}, {"sizes": (5, 5)}, {"sizes": (5,), "samples": 0}, {"sizes": (0,)}])
def test_options_that_draw_nothing(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"sizes|samples is 0; it must be at least 1"):
        SampleChoice.from_fields(options)


def test_files_hold_the_sentences_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    lines = [f"sentence {number} , as  written ." for number in range(200)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    choice = SampleChoice(sizes=(60, 300), samples=2, seed=1)
    names = [file["file"] for file in write_samples(TextSource((path,), BLANKS), choice, tmp_path / "out")["files"]]
    assert names == ["all-60-1.txt", "all-300-1.txt", "all-60-2.txt", "all-300-2.txt"]
    small, large = ((tmp_path / "out" / f"all-{size}-1.txt").read_text().splitlines() for size in (60, 300))
    assert len(small) == 10
    assert len(large) == 50
    assert set(small) < set(large) < set(lines)
    assert large == sorted(large, key=lines.index)
    manifest = json.loads((tmp_path / "out" / "samples.json").read_text())
    assert [file["tokens"] for file in manifest["files"]] == [60, 300, 60, 300]
    assert manifest["options"]["seed"] == 1
    assert not list((tmp_path / "out").glob(".*"))
