"""Damaged files of every format: refused with our own error, or read; never a traceback, a hang or another number."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from fuzzing.fuzz import fast_folder, fuzz, report, table
from fuzzing.mutations import MUTATIONS, mutate
from fuzzing.target import Target
from fuzzing.targets import TARGETS
from gardenpath.errors import InputError

SECONDS = 30
"""Of `make test`; for longer: pytest tests/test_fuzz.py --fuzz-minutes 60."""


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    found = fast_folder()
    monkeypatch.setenv("GARDENPATH_CACHE", str(found / "cache"))
    yield found
    shutil.rmtree(found)


@pytest.mark.usefixtures("one_thread")
def test_damaged_files(folder: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> None:
    minutes, seed = request.config.getoption("--fuzz-minutes"), request.config.getoption("--fuzz-seed")
    found = fuzz(TARGETS, folder, seed=seed, seconds=SECONDS if minutes is None else 60 * minutes)
    with capsys.disabled():
        if minutes is not None:
            print(f"\n{table(found)}")  # noqa: T201 - asked for by the option
    assert not any(tally.kinds for tally in found.values()), report(found)
    assert all(tally.refused + tally.read for tally in found.values())


def read_number(folder: Path) -> object:
    content = (folder / "number.txt").read_bytes()
    if content.startswith(b"x"):
        raise InputError("begins with x")
    while content.startswith(b"9"):
        pass
    return int(content)


def test_the_fuzzer_finds_what_is_wrong(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader with three faults: a traceback, a number that changes, and a loop."""
    monkeypatch.setattr("fuzzing.fuzz.PATIENCE", 0.05)
    target = Target("number", lambda place: (place / "number.txt").write_text("1234"), read_number, protected=True)
    tally = fuzz([target], folder, inputs=300)["number"]
    assert tally.inputs == 300 == tally.refused + tally.read + tally.kinds.total()
    assert {kind.split()[0] for kind in tally.kinds} == {"ValueError", "AssertionError", "DoesNotEnd"}
    assert "a number changed: " in report({"number": tally})
    assert "--target 'number' --seed 0 --input " in report({"number": tally})


def test_inputs_can_be_repeated() -> None:
    import random

    content = b'{"a": [1, 2, {"b": "text"}], "c": 3.5}'
    for change in MUTATIONS:
        first, second = (change(content, [content, b"other"], random.Random(7)) for _ in range(2))
        assert first == second
    assert len({mutate(content, [content], random.Random(seed)) for seed in range(100)}) > 80
