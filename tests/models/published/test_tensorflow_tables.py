"""Tables of TensorFlow's first checkpoint format: written byte by byte here, and by TensorFlow itself."""

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.models.published.crc32c import crc32c
from gardenpath.models.published.tensorflow_tables import read_checkpoint_file
from refusals import refused
from tensorflow_table import block, checksum, field, table, varint, with_trailer

BY_TENSORFLOW = Path(__file__).parents[2] / "data" / "tensorflow_v1.ckpt"
TENSORS = {
    "softmax/W_0": np.arange(6, dtype=np.float32).reshape(3, 2),
    "softmax/W_1": np.full((2, 1, 4), -1.5, dtype=np.float32),
    "softmax/b": np.array([0.25], dtype=np.float32),
    "empty": np.zeros((0, 3), dtype=np.float32),
    "step": np.array(14108582, dtype=np.int64),
}


@pytest.mark.parametrize("entries_per_block", [1, 2, 10])
def test_tables_are_read(tmp_path: Path, entries_per_block: int) -> None:
    (tmp_path / "ckpt").write_bytes(table(TENSORS, entries_per_block=entries_per_block))
    found = read_checkpoint_file(tmp_path / "ckpt")
    assert found.keys() == TENSORS.keys() - {"step"}  # only float32
    for name, array in found.items():
        np.testing.assert_array_equal(array, TENSORS[name])


@given(st.binary(min_size=4, max_size=3000))
def test_checksums_equal_those_bit_by_bit(data: bytes) -> None:
    assert crc32c(data) == checksum(data)


def test_checksums_of_several_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.models.published.crc32c.PIECE", 2048)
    rng = np.random.default_rng(0)
    for size in (2047, 2048, 2049, 2050, 2052, 4096, 4097, 4099, 9000):
        data = rng.bytes(size)
        assert crc32c(data) == checksum(data), size
    assert crc32c(bytes(32)) == 0x8A9136AA  # RFC 3720, B.4
    assert crc32c(b"\xff" * 32) == 0x62A8AB43


def test_every_flipped_bit_of_a_block_is_found(tmp_path: Path) -> None:
    content = table(TENSORS)
    used = content.index(with_trailer(block([])))
    for position in range(0, len(content) - 48, 7):
        damaged = bytearray(content)
        damaged[position] ^= 1 << position % 8
        (tmp_path / "ckpt").write_bytes(damaged)
        if position < used:
            refused("is damaged", read_checkpoint_file, tmp_path / "ckpt")
        else:  # of the block without use, before the index, or of the index
            with suppress(InputError):
                for name, array in read_checkpoint_file(tmp_path / "ckpt").items():
                    np.testing.assert_array_equal(array, TENSORS[name])


def test_every_cut_file_is_refused(tmp_path: Path) -> None:
    content = table(TENSORS)
    for length in range(len(content)):
        (tmp_path / "ckpt").write_bytes(content[:length])
        refused("damaged|too short", read_checkpoint_file, tmp_path / "ckpt")


def file_of(*values: bytes) -> bytes:
    """A file of records that have valid checksums."""
    contents = block([(bytes([number]), value) for number, value in enumerate(values)])
    index = block([(b"z", varint(0) + varint(len(contents)))])
    found = with_trailer(contents)
    handles = varint(0) + varint(0) + varint(len(found)) + varint(len(index))
    return found + with_trailer(index) + handles.ljust(40, b"\0") + bytes.fromhex("57FB808B247547DB")


def described(name: bytes, *sizes: int) -> bytes:
    shape = b"".join(field(2, field(1, size)) for size in sizes)
    return field(1, field(1, field(1, name) + field(2, shape) + field(3, 1)))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([described(b"a", 2)], "no numbers of 'a'"),
        ([described(b"a", 2), field(2, field(1, b"a") + field(3, field(5, bytes(12))))], "has 3 numbers for the shape"),
        ([described(b"a", 1), field(2, field(1, b"a") + field(3, field(5, bytes(3))))], "not of four bytes each"),
        ([described(b"a", 1 << 60)], "'a' has no shape"),
        ([described(b"a", 2), field(2, field(1, b"a") + field(2, field(1, field(2, 1))))], "a part of 'a'"),
        ([field(1, field(1, field(3, 1)))], "a tensor has no name"),
        ([field(2, 7)], "a number stands where a message should"),
        ([b"\x0b"], "not a message of TensorFlow"),
        ([b"\xff" * 12], "a number has no end"),
        ([field(1, b"")[:-1] + b"\x7f"], "not a message of TensorFlow"),
    ],
)
def test_records_that_make_no_sense_are_refused(tmp_path: Path, values: list[bytes], message: str) -> None:
    (tmp_path / "ckpt").write_bytes(file_of(*values))
    refused(message, read_checkpoint_file, tmp_path / "ckpt")


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ckpt").write_bytes(b"")
    refused("too short", read_checkpoint_file, tmp_path / "ckpt")
    (tmp_path / "ckpt").write_bytes(bytes(100))
    refused("does not end as such a file does", read_checkpoint_file, tmp_path / "ckpt")
    (tmp_path / "ckpt").write_bytes(table(TENSORS, kind=1))
    refused("compressed", read_checkpoint_file, tmp_path / "ckpt")
    refused("no such file", read_checkpoint_file, tmp_path / "absent")


@pytest.mark.skipif(not BY_TENSORFLOW.exists(), reason="no file that TensorFlow wrote")
def test_a_file_of_tensorflow_is_read() -> None:
    """Written by `tf.compat.v1.train.Saver(write_version=SaverDef.V1)`; the values follow from the names."""
    found = read_checkpoint_file(BY_TENSORFLOW)
    assert len(found) > 1
    for name, array in found.items():
        expected = np.sin(np.arange(array.size, dtype=np.float64) + len(name)).reshape(array.shape)
        np.testing.assert_allclose(array, expected, atol=1e-6)
