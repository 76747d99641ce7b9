"""A fixture that writes the files the tests of formats read."""

import json
from pathlib import Path
from typing import Any

import pytest
from suite_files import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file: text as it is, a list as JSON lines, anything else as JSON."""

    def write(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        match content:
            case bytes():
                path.write_bytes(content)
            case str():
                path.write_text(content, encoding="utf-8")
            case list():
                path.write_text(
                    "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in content), encoding="utf-8"
                )
            case _:
                path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
        return path

    return write
