"""The files of a corpus that comes as a folder: the Penn Treebank by sections, BLLIP by years, CCGbank by sections."""

from collections.abc import Sequence
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.training.specs.sections import parse_sections

NUMBERED = ".000"
"""Stands for all numbers as endings, which the files of BLLIP have: w7_001.000, w7_001.001."""
TREES = (".mrg", ".prd", ".ptb", ".penn", ".parse", ".parsed", ".tree", ".trees", NUMBERED)
SUPERTAGS = (".auto", ".stagged", ".supertags")
COMPRESSED = ".gz"
CorpusPaths = Path | str | Sequence[Path]
"""A corpus: a file or folder, or several."""
LISTED = 8
"""The most endings that a message lists."""


def list_treebank(paths: CorpusPaths, sections: str = "") -> tuple[Path, ...]:
    """List the files of treebanks, each a file or a folder, whose files are taken in the order of their names.

    `sections`: take only these of the numbered folders of a folder.
    """
    return list_files(paths, sections, TREES)


def list_supertags(paths: CorpusPaths, sections: str = "") -> tuple[Path, ...]:
    """List the files of supertags, as `list_treebank` does those of treebanks."""
    return list_files(paths, sections, SUPERTAGS)


def list_files(paths: CorpusPaths, sections: str, endings: Sequence[str]) -> tuple[Path, ...]:
    """List files, those of folders by their endings and sections."""
    wanted = parse_sections(sections)
    found: list[Path] = []
    for path in [Path(paths)] if isinstance(paths, str | Path) else paths:
        if not path.is_dir():
            if wanted:
                raise InputError(
                    f"--sections {sections}: {path} is not a folder; name the folder that has the sections"
                )
            found.append(path)
            continue
        for folder in section_folders(path, wanted, sections) if wanted else [path]:
            found += files_in(folder, endings)
    return tuple(found)


def section_folders(folder: Path, wanted: Sequence[range], sections: str) -> list[Path]:
    """The numbered folders of a folder that are wanted, in the order of their names; all must be there."""
    numbered = {int(path.name): path for path in sorted(folder.iterdir()) if is_section(path)}
    missing = [number for numbers in wanted for number in numbers if number not in numbered]
    if missing:
        there = " ".join(path.name for path in numbered.values()) or "none"
        raise InputError(f"--sections {sections}: {folder} has no section {missing[0]}; its numbered folders: {there}")
    return [path for number, path in numbered.items() if any(number in numbers for numbers in wanted)]


def is_section(path: Path) -> bool:
    """Whether a path is a numbered folder."""
    return path.name.isascii() and path.name.isdigit() and path.is_dir()


def files_in(folder: Path, endings: Sequence[str]) -> list[Path]:
    """The files of a folder and its folders that have one of the endings, in the order of their names.

    Other files (readme, logs) are left out. Two kinds of files side by side are refused, since a release that has two
    has the same sentences twice.
    """
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".")]
    by_ending: dict[str, list[Path]] = {}
    for path in files:
        by_ending.setdefault(ending_of(path), []).append(path)
    kinds = [ending for ending in by_ending if ending in endings]
    if len(kinds) > 1:
        raise InputError(f"{folder} has files of several kinds ({', '.join(kinds)}); name the folder of one")
    if not kinds:
        others = ", ".join(ending or "none" for ending in list(by_ending)[:LISTED])
        seen = f"the endings of its {len(files):,} files: {others}" if files else "it has no files"
        raise InputError(f"{folder} has no files that end in {', '.join(endings)}; {seen}; name another folder")
    return by_ending[kinds[0]]


def ending_of(path: Path) -> str:
    """The ending of a file name in lower case, without that of compression; all numbers are one ending."""
    ending = Path(path.name.lower().removesuffix(COMPRESSED)).suffix
    return NUMBERED if ending[1:].isdigit() else ending
