"""Studies to start from: the two of the papers, and one for each other task."""

from difflib import get_close_matches
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.human.spec import StudySpec
from gardenpath.io.text_files import read_text

PRESETS_FOLDER = Path(__file__).parent


def preset_names() -> list[str]:
    """The names of all presets."""
    return sorted(path.stem for path in PRESETS_FOLDER.glob("*.toml"))


def find_preset(name: str) -> Path:
    """The file of a preset."""
    names = preset_names()
    if name not in names:
        near = get_close_matches(name, names, n=1)
        hint = f"Did you mean {near[0]!r}? " if near else ""
        raise InputError(f"unknown preset {name!r}, and no such file. {hint}The presets are {', '.join(names)}.")
    return PRESETS_FOLDER / f"{name}.toml"


def load_preset(name: str) -> StudySpec:
    """Load the specification of a preset.

    >>> load_preset("marvin-linzen-2018").lists
    10
    """
    return StudySpec.from_toml(find_preset(name), {})


def read_notes(path: Path) -> str:
    """The comment at the beginning of a specification: what its fields do not say."""
    lines = read_text(path).splitlines()
    end = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "".join(f"{line}\n" for line in lines[:end])
