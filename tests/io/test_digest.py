"""Digests are those of `hashlib`, whose values results on disk record."""

import os
from hashlib import blake2b, sha256
from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_file, digest_parts, digest_text


def test_digests_do_not_change_between_versions() -> None:
    assert digest_text("the keys are lost") == "8cd587cacd371eaef79d1ca5"


def test_parts_count_as_one(tmp_path: Path) -> None:
    whole = blake2b("the kéys".encode(), digest_size=16).hexdigest()
    assert digest_parts(["the k", "é".encode(), memoryview(b"ys")], size=16) == whole
    assert digest_parts(["the ", "kéys"], size=8, method="sha256") == sha256("the kéys".encode()).hexdigest()[:16]
    (tmp_path / "text").write_bytes("the kéys".encode() * 300_000)
    assert digest_file(tmp_path / "text") == digest_text("the kéys" * 300_000)


def test_a_file_that_cannot_be_read_again_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe is a pipe or a device, but is read more than once"):
        digest_file(tmp_path / "pipe")
    with pytest.raises(InputError, match="none: there is no such file"):
        digest_file(tmp_path / "none")
