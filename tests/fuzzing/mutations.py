"""Mutations of files: of bytes, of the pieces of a text, of the structure of JSON."""

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

PIECE = re.compile(rb"\w+|\s+|[^\w\s]")
ODD_TEXTS: tuple[bytes, ...] = (
    b"\x00", b"\x1b[31m", b"\x07", b"\x7f", b"\r", b"\r\n", b"\n\n", b"\t", b"\t\t", b" ", b'"', b"'", b'""', b"\\",
    b",", b";", b"=cmd|' /C calc'!A0", b"+1", b"-1", b"@x", b"0", b"1", b"-0", b"00", b"1_0", b"1e999", b"-1e-9",
    b"1e-320", b"nan", b"inf", b"Infinity", b"NaN", b"null", b"true", b"9" * 25, b"9" * 5000, b"0x10", b"1.5",
    "\u0663\u0662".encode(), "²".encode(), "\u2028".encode(), "\ufeff".encode(), "\u202e".encode(), "é".encode(),
    "e\u0301".encode(), "😀".encode(), "\u200b".encode(), b"\xff", b"\xc3", b"\xed\xa0\x80", b"\\ud800", b"\\u0000",
    b"\\n", b"[", b"]", b"{", b"}", b"(", b")", b"[[", b"]]", b"{}", b"[]", b"()", b"<s>", b"</s>", b"<unk>", b"UNK",
    b"*", b"%", b"&", b"|", b"<", b">", b"=", b"(*;%good%)", b"a" * 300, b"the " * 50, b"__class__", b"\\1-grams:",
    b"ngram 1=1", b"#", b"//",
)  # fmt: skip
LARGE_TEXTS: tuple[bytes, ...] = (
    b"[" * 100_000,
    b"(" * 100_000,
    b'{"a":' * 20_000,
    b"x" * 140_000,
    b"a b " * 40_000,
    b"- " * 30_000,
)
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 1.5, -0.0, 1e308, 10**30, 10**400, float("nan"), float("inf"), "", " ", "a", "1",
    "-1", "\0", "\x1b[2J", "=1+1", "\u0663", "x" * 300, [], {}, [[]], [None], ["a", "a"], {"a": 1}, {"": ""},
    [1, 2, 3], "../x", "/", "<s>", "NaN", "(*;%good%)",
)  # fmt: skip

Rng = random.Random


def mutate(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    """A damaged file: some mutations, one after another; `others`: files to splice parts of."""
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        content = rng.choice(MUTATIONS)(content, others, rng)
    return content


def flip_bit(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    if not content:
        return b"\0"
    position = rng.randrange(len(content))
    return content[:position] + bytes([content[position] ^ (1 << rng.randrange(8))]) + content[position + 1 :]


def set_bytes(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    start, end = span(content, rng, longest=8)
    return (
        content[:start]
        + bytes(rng.choice((0, 255, 127, 128, rng.randrange(256))) for _ in range(end - start))
        + content[end:]
    )


def truncate(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def delete(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    start, end = span(content, rng)
    return content[:start] + content[end:]


def duplicate(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    start, end = span(content, rng)
    return content[:end] + content[start:end] * rng.choice((1, 1, 2, 20)) + content[end:]


def splice(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    other = rng.choice(others)
    start, end = span(other, rng)
    into, until = span(content, rng)
    return content[:into] + other[start:end] + content[rng.choice((into, until)) :]


def insert_odd(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    odd = rng.choice(LARGE_TEXTS) if rng.random() < 0.01 else rng.choice(ODD_TEXTS)
    position = rng.randrange(len(content) + 1)
    return content[:position] + odd + content[position:]


def replace_piece(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    """Replace a word, a run of spaces or a sign by something odd, or by another piece."""
    pieces = PIECE.findall(content)
    if not pieces:
        return rng.choice(ODD_TEXTS)
    new = rng.choice(ODD_TEXTS) if rng.random() < 0.5 else rng.choice(pieces)
    pieces[rng.randrange(len(pieces))] = new
    return b"".join(pieces)


def swap_pieces(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    pieces = PIECE.findall(content)
    if len(pieces) > 1:
        one, other = rng.randrange(len(pieces)), rng.randrange(len(pieces))
        pieces[one], pieces[other] = pieces[other], pieces[one]
    return b"".join(pieces)


def edit_lines(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    """Delete, repeat or move a line."""
    lines = content.split(b"\n")
    line = lines.pop(rng.randrange(len(lines)))
    for _ in range(rng.choice((0, 1, 2))):
        lines.insert(rng.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def edit_json(content: bytes, others: Sequence[bytes], rng: Rng) -> bytes:
    """Change the structure of JSON, or of one line of JSON lines; of other contents a bit."""
    for begin, end in ((0, len(content)), random_line(content, rng)):
        try:
            value = json.loads(content[begin:end])
        except (ValueError, RecursionError):
            continue
        try:
            return content[:begin] + json.dumps(edit_value(value, rng)).encode() + content[end:]
        except (ValueError, RecursionError):
            break
    return flip_bit(content, others, rng)


def random_line(content: bytes, rng: Rng) -> tuple[int, int]:
    position = rng.randrange(len(content) + 1)
    end = content.find(b"\n", position)
    return content.rfind(b"\n", 0, position) + 1, end if end >= 0 else len(content)


def edit_value(value: Any, rng: Rng) -> Any:
    """Change something inside a value: replace, delete, repeat or rename."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.1:
        return rng.choice(ODD_VALUES)
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = rng.choice(keys)
    if rng.random() < 0.6:
        value[key] = edit_value(value[key], rng)
    elif isinstance(value, list):
        action = rng.randrange(3)
        if action == 0:
            del value[key]
        else:
            value.insert(rng.randrange(len(value) + 1), rng.choice(ODD_VALUES) if action == 1 else value[key])
    else:
        held = value.pop(key)
        if rng.random() < 0.5:
            value[rng.choice((f"{key}x", "", "\0", rng.choice(keys)))] = held
    return value


def span(content: bytes, rng: Rng, *, longest: int = 64) -> tuple[int, int]:
    """A span of a few bytes, seldom of many."""
    start = rng.randrange(len(content) + 1)
    length = rng.randrange(len(content) + 1) if rng.random() < 0.1 else rng.randint(1, longest)
    return start, min(len(content), start + length)


Mutation = Callable[[bytes, Sequence[bytes], Rng], bytes]
MUTATIONS: tuple[Mutation, ...] = (
    flip_bit, flip_bit, set_bytes, truncate, delete, duplicate, splice, insert_odd, replace_piece, replace_piece,
    swap_pieces, edit_lines, edit_json, edit_json, edit_json, edit_json, edit_json,
)  # fmt: skip
