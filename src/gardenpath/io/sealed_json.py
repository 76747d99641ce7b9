"""JSON of our own files, sealed with a digest of what it holds, which is verified before anything of it is used."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_text

SEAL = "digest"
SEALED_FORMAT = 2
"""Files of this format have a digest; those of format 1, or without a format, were written before there was one."""
HEADER, HEADER_DIGEST = "gardenpath", "gardenpath.digest"
"""The keys of the metadata of a file of tensors: our header as JSON, and its digest."""


HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")
"""Half of a character may be written so, or one of both halves."""


class DamagedError(ValueError):
    """A file is not as it was written; the reader adds which file, and the remedy."""


def seal_record(record: Mapping[str, Any], form: int = SEALED_FORMAT) -> str:
    """Write a record as JSON with its format and its digest."""
    sealed = {key: value for key, value in record.items() if key != SEAL} | {"format": form}
    return json.dumps({**sealed, SEAL: digest_record(sealed)}, indent=2, ensure_ascii=False) + "\n"


def digest_record(record: Mapping[str, Any]) -> str:
    """Digest what a record holds, whatever the order of its keys."""
    return digest_text(json.dumps(json.loads(json.dumps(record)), sort_keys=True))


def read_sealed(path: Path, remedy: str, *, since: int = SEALED_FORMAT) -> dict[str, Any]:
    """Read a record and verify its digest; one of a format from before there were digests is read as it is."""
    try:
        record = parse_object(path.read_bytes())
        found = record.pop(SEAL, None)
        if found is None and record.get("format", 1) == since:
            raise DamagedError("it has no digest")
        if found is not None and found != digest_record(record):
            raise DamagedError("its contents do not have the digest they were written with")
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is damaged or cannot be read ({error}); {remedy}") from error
    return record


def find_sealed(path: Path) -> dict[str, Any] | None:
    """Read a record of something that can be made again; None where there is none, or none that is as it was written.

    A record without a digest is made again too.
    """
    try:
        record = read_sealed(path, "")
    except (OSError, InputError):
        return None
    return record if record.get("format") == SEALED_FORMAT else None


def parse_object(content: bytes | str) -> dict[str, Any]:
    """Parse a JSON object; whatever is wrong with it is one kind of error."""
    try:
        text = content.decode() if isinstance(content, bytes) else content  # json would accept halves of characters
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedError(f"it is not JSON: {error}") from error
    if HALF_CHARACTER.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise DamagedError("it holds half of a character") from error
    if not isinstance(value, dict):
        raise DamagedError(f"it holds a JSON {type(value).__name__}, not an object")
    return value


def seal_header(header: Mapping[str, Any]) -> dict[str, str]:
    """The metadata of a file of tensors: a header, and its digest."""
    text = json.dumps({**header, "format": SEALED_FORMAT})
    return {HEADER: text, HEADER_DIGEST: digest_text(text)}


def open_header(metadata: object) -> dict[str, Any]:
    """The header in the metadata of a file of tensors, verified where it has a digest."""
    if not isinstance(metadata, dict) or not isinstance(text := metadata.get(HEADER), str):
        raise DamagedError("its header has no metadata of gardenpath")
    header = parse_object(text)
    sealed = header.get("format", 1) == SEALED_FORMAT or HEADER_DIGEST in metadata
    if sealed and metadata.get(HEADER_DIGEST) != digest_text(text):
        raise DamagedError("its header does not have the digest it was written with")
    if not isinstance(header.get("digest"), str):
        raise DamagedError("its header has no digest")
    return header
