"""Files of our own carry digests: what is damaged is refused, what was written before there were digests is read."""

import json
import os
import time
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.sealed_json import DamagedError, open_header, parse_object, read_sealed, seal_header, seal_record
from gardenpath.io.verified_files import verify_once

RECORD = {"kind": "lstm", "options": {"width": 3, "share": 0.1}, "ids": {7: "seven", 10: "ten"}}


def test_every_changed_character_is_noticed(tmp_path: Path) -> None:
    path, text = tmp_path / "record.json", seal_record(RECORD)
    path.write_text(text, encoding="utf-8")
    whole = read_sealed(path, "write it again")
    assert whole == json.loads(json.dumps({**RECORD, "format": 2}))
    for position, character in enumerate(text.strip()):
        path.write_text(text[:position] + chr(ord(character) ^ 1) + text[position + 1 :], encoding="utf-8")
        with pytest.raises(InputError, match=r"record.json is damaged or cannot be read \(.*\); write it again"):
            read_sealed(path, "write it again")


@pytest.mark.parametrize("content", ["", "[]", "3", "[" * 100_000, '{"a": ' + "9" * 5000 + "}", "\ud800"])
def test_what_is_no_record(tmp_path: Path, content: str) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(content.encode("utf-8", "surrogatepass"))
    with pytest.raises(InputError, match="is damaged or cannot be read"):
        read_sealed(path, "write it again")


def test_records_from_before_there_were_digests(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for record in ({"format": 1, "kind": "lstm"}, {"kind": "lstm"}):
        path.write_text(json.dumps(record), encoding="utf-8")
        assert read_sealed(path, "") == record
    path.write_text(json.dumps({"format": 2, "kind": "lstm"}), encoding="utf-8")
    with pytest.raises(InputError, match="it has no digest"):
        read_sealed(path, "")


def test_headers() -> None:
    header = seal_header({"digest": "of the numbers", "training": {"perplexity": 9.5}})
    assert open_header(header) == {"digest": "of the numbers", "training": {"perplexity": 9.5}, "format": 2}
    assert open_header({"gardenpath": '{"digest": "x"}'}) == {"digest": "x"}  # as they were before
    for damaged in (
        {**header, "gardenpath": header["gardenpath"].replace("9.5", "9.4")},
        {"gardenpath": header["gardenpath"]},
        {"gardenpath": "{}"},
        {},
        None,
        [],
    ):
        with pytest.raises(DamagedError):
            open_header(damaged)


def test_a_file_is_verified_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    path, calls = tmp_path / "file", []

    def compute() -> str:
        calls.append(path.read_text())
        return path.read_text()

    path.write_text("abc")
    assert verify_once(path, "abc", compute)
    assert verify_once(path, "abc", compute)  # just written: it could change within the same tick of the clock
    monkeypatch.setattr(time, "time", lambda: path.stat().st_mtime + 60)
    for _ in range(3):
        assert verify_once(path, "abc", compute)
    assert len(calls) == 3
    times = path.stat()
    path.write_text("abd")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # with the size and the time it had
    assert not verify_once(path, "abc", compute)


def test_half_a_character_is_damage() -> None:
    assert parse_object(b'{"a": "\\ud83d\\ude00", "b": "\\\\ud800"}') == {"a": "😀", "b": "\\ud800"}
    with pytest.raises(DamagedError, match="half of a character"):
        parse_object(b'{"a": "\\ud800"}')
