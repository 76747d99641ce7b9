"""The small language as a fixture."""

from pathlib import Path

import pytest

from small_language import FILES, MakeLanguage


@pytest.fixture
def make_language(tmp_path: Path) -> MakeLanguage:
    """Write the language `toy`, with other contents for the files named."""

    def make(**changed: str) -> Path:
        folder = tmp_path / "toy"
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_text(changed.get(name.partition(".")[0], text), encoding="utf-8")
        return folder

    return make
