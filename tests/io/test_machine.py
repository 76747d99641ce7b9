"""Cores and memory are reported where Linux's own calls are missing, too."""

import os
import sys

import pytest

from gardenpath.io.machine import count_cores, machine_memory, peak_memory


def test_cores_are_counted_without_the_call_of_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert count_cores() == os.cpu_count()


def test_a_process_has_used_megabytes_and_less_than_the_machine_has() -> None:
    memory = machine_memory()
    assert memory is not None
    assert 10 < peak_memory() < memory


def test_memory_is_unknown_where_the_system_does_not_report_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr(os, "sysconf", refuse)
    assert machine_memory() is None


def test_the_unit_of_macos_is_the_byte(monkeypatch: pytest.MonkeyPatch) -> None:
    before = peak_memory()
    if sys.platform == "darwin":
        pytest.skip("this is macOS")
    monkeypatch.setattr("gardenpath.io.machine.BYTES_OF_MAXRSS", 1)
    assert peak_memory() <= before / 100
