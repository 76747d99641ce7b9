"""Headers of GGUF files: damaged ones are refused before a library trusts them."""

import shutil
import struct
from pathlib import Path

import pytest

from fuzzing.other_targets import write_gguf
from gardenpath.models.load import load_model
from gardenpath.models.pretrained import gguf
from gardenpath.models.pretrained.gguf_header import check_gguf_header
from refusals import refused


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("gguf")
    write_gguf(folder)
    check_gguf_header(folder / "model.gguf")
    return (folder / "model.gguf").read_bytes()


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


@pytest.mark.parametrize("length", [4, 5, 20, 24, 30, 170, 500, 4000, -100, -1])
def test_cut_files(tmp_path: Path, whole: bytes, length: int) -> None:
    (tmp_path / "cut.gguf").write_bytes(whole[:length])
    refused(r"cut.gguf is damaged or holds no language model: it ends", load_model, f"gguf:{tmp_path / 'cut.gguf'}")


@pytest.mark.parametrize("fields", [0, 1, 2])
def test_headers_without_a_configuration(tmp_path: Path, fields: int) -> None:
    # The library would build a Llama of seven thousand million random weights.
    named = text("general.architecture") + struct.pack("<I", 8) + text("llama")
    named += text("general.name") + struct.pack("<I", 8) + text("x" * 60)
    content = b"GGUF" + struct.pack("<IQQ", 3, 0, fields) + named
    (tmp_path / "bare.gguf").write_bytes(content)
    refused("names no architecture, or holds no tensors", load_model, f"gguf:{tmp_path / 'bare.gguf'}")


@pytest.mark.parametrize(
    ("key", "number", "message"),
    [
        ("llama.block_count", 2**31, "its tensors do not have the"),
        ("llama.embedding_length", 2**30, "its tensors do not have the"),
        ("llama.feed_forward_length", 2**30, "feed_forward_length is 1,073,741,824, but at most 8 fits"),
        ("llama.attention.head_count", 2**30, "head_count is"),
        ("llama.vocab_size", 2**30, "vocab_size is"),
        ("llama.context_length", 2**30, "context_length is"),
    ],
)
def test_sizes_that_do_not_fit_the_tensors(tmp_path: Path, whole: bytes, key: str, number: int, message: str) -> None:
    position = whole.index(text(key)) + len(text(key)) + 4
    path = tmp_path / "model.gguf"
    path.write_bytes(whole[:position] + struct.pack("<I", number) + whole[position + 4 :])
    refused(f"model.gguf is damaged .*{message}", load_model, f"gguf:{path}")


def test_counts_beyond_the_file(tmp_path: Path, whole: bytes) -> None:
    path = tmp_path / "model.gguf"
    for position in (8, 16):  # tensors, fields
        path.write_bytes(whole[:position] + struct.pack("<Q", 2**60) + whole[position + 8 :])
        refused("model.gguf is damaged", load_model, f"gguf:{path}")


def test_a_converted_model_that_was_damaged_is_converted_again(
    tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    path, conversions = tmp_path / "model.gguf", []
    path.write_bytes(whole)

    def convert(source: Path, folder: Path) -> None:
        conversions.append(source)
        folder.mkdir()
        shutil.copy(source, folder / "model.safetensors")

    monkeypatch.setattr(gguf, "convert", convert)
    converted = gguf.convert_once(path) / "model.safetensors"
    gguf.convert_once(path)
    assert len(conversions) == 1
    converted.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    gguf.convert_once(path)
    assert len(conversions) == 2
    assert converted.read_bytes() == whole
