"""Any file or folder the user names, read as suites: the one place that knows which format a file is in."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.input_files import (
    Record,
    advise,
    listed,
    parse_json,
    read_json_lines,
    read_rows,
    record_of,
    records_of,
)
from gardenpath.io.text_files import read_text
from gardenpath.suites.formats.alternating import (
    chinese_column,
    is_clams,
    is_zorro,
    numbered_lines,
    read_clams,
    read_zorro,
    suite_of_climp,
)
from gardenpath.suites.formats.blimp import suites_of_blimp
from gardenpath.suites.formats.columns import ASK_FOR_COLUMNS, Columns, known_columns
from gardenpath.suites.formats.hub import suites_of_arrays
from gardenpath.suites.formats.long_table import COLUMNS as REGION_COLUMNS
from gardenpath.suites.formats.long_table import suite_of_regions
from gardenpath.suites.formats.pairs import OWN, read_pairs, suites_of_pairs
from gardenpath.suites.formats.reflexives import suite_of_reflexives
from gardenpath.suites.formats.syneval import read_syneval
from gardenpath.suites.formats.syntaxgym import parse_suite
from gardenpath.suites.formats.variants import COLUMNS as VARIANT_COLUMNS
from gardenpath.suites.formats.variants import suites_of_variants
from gardenpath.suites.suite import Join, Suite, unique_ids

SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", ".pickle", ".pkl")


class UnknownFormatError(InputError):
    """A file that can be read, but holds no suite in any format we know."""


def read_suite(path: str | Path, join: Join = "natural") -> Suite:
    """Read a file that holds one suite."""
    suites = read_suites(path, join)
    if len(suites) > 1:
        raise InputError(
            f"{path}: there are {len(suites)} suites here ({listed(suite.name for suite in suites)}), not one"
        )
    return suites[0]


def read_suites(path: str | Path, join: Join = "natural", columns: Columns | None = None) -> list[Suite]:
    """Read every suite of a file, or of all files of a folder; columns say where pairs have their sentences."""
    path = Path(path)
    if not path.is_dir():
        return read_pairs(path, columns) if columns else read_file(path, join)
    suites, faults = read_folder(path, join, columns)
    if faults:
        raise faults[0]
    return suites


def read_folder(
    path: Path, join: Join = "natural", columns: Columns | None = None
) -> tuple[list[Suite], list[InputError]]:
    """Read every file of a folder: the suites of those that can be used, and what is wrong with the others."""
    suites: list[Suite] = []
    faults: list[InputError] = []
    unknown = []
    for file in files_of(path):
        try:
            suites += read_pairs(file, columns) if columns else read_file(file, join)
        except UnknownFormatError:
            unknown.append(file.relative_to(path))
        except InputError as error:
            faults.append(error)
    if not suites and not faults:
        there = listed(sorted(p.name for p in path.iterdir()))
        faults.append(InputError(f"{path}: no file here holds a suite; there is {there}"))
    elif unknown:
        advise(f"{path}: {len(unknown)} files hold no suite and were passed over: {listed(unknown, most=5)}")
    return distinct(suites), faults


def files_of(folder: Path) -> list[Path]:
    """The files of a folder and its folders that may hold suites, in order; hidden ones are left out."""
    files = (file for file in folder.rglob("*") if file.suffix.lower() in SUFFIXES and file.is_file())
    return sorted(file for file in files if not any(part[0] in "._" for part in file.relative_to(folder).parts))


def distinct(suites: Sequence[Suite]) -> list[Suite]:
    """The suites with names of their own: those that share one get the name of their folder before it."""
    count = Counter(suite.name for suite in suites)
    names = [f"{Path(s.source).parent.name}/{s.name}" if count[s.name] > 1 else s.name for s in suites]
    unique, repeated = unique_ids(names)
    if repeated:
        advise(f"suite names used more than once: {listed(dict.fromkeys(repeated))}; told apart as 'NAME#2' and so on")
    return [replace(s, name=name) if s.name != name else s for s, name in zip(suites, unique, strict=True)]


def read_file(path: Path, join: Join) -> list[Suite]:
    """Read a file in the format its extension and its first line tell."""
    match path.suffix.lower():
        case ".json":
            return suites_of_json(path, join)
        case ".jsonl" | ".ndjson":
            return suites_of_lines(read_json_lines(path), path, join)
        case ".csv" | ".tsv":
            return suites_of_table(path, join)
        case ".txt":
            return [suite_of_text(path, join)]
        case ".pickle" | ".pkl":
            return [read_syneval(path)]
        case _:
            read_text(path)
            raise UnknownFormatError(
                f"{path}: a suite is a file ending in {', '.join(SUFFIXES)}, or a folder of such files"
            )


def suites_of_json(path: Path, join: Join) -> list[Suite]:
    """The suites of a .json file: SyntaxGym's, or lines or an array of objects."""
    text = read_text(path)
    if not text.lstrip().startswith("{") or is_json_lines(text):
        return suites_of_lines(read_json_lines(path), path, join)
    data = parse_json(text, path)
    if data.keys() & {"items", "region_meta"}:
        return [parse_suite(data, path, join)]
    return suites_of_lines([record_of(data, path, 1)], path, join)


def is_json_lines(text: str) -> bool:
    """Whether the first line is a whole object, and others follow."""
    first, _, rest = text.strip().partition("\n")
    return first.rstrip().endswith("}") and rest.lstrip().startswith("{")


def suites_of_lines(records: Sequence[Record], path: Path, join: Join) -> list[Suite]:
    """The suites of JSON lines."""
    if not records:
        raise UnknownFormatError(f"{path}: the array is empty")
    keys = records[0].cells.keys()
    if {"sentence_good", "sentence_bad"} <= keys:
        return suites_of_blimp(records, path)
    if {"suite_name", "conditions", "predictions"} <= keys:
        return suites_of_arrays(records, path, join)
    if known_columns(keys):
        return suites_of_pairs(records, path)
    raise UnknownFormatError(
        f"{path}: which keys hold the good and the bad sentences? The keys are {listed(keys)}; {ASK_FOR_COLUMNS}"
    )


def suites_of_table(path: Path, join: Join) -> list[Suite]:
    """The suites of a .csv or .tsv file."""
    rows = read_rows(path)
    header = [name.strip() for name in rows[0].cells]
    if set(REGION_COLUMNS) <= set(header):
        return [suite_of_regions(records_of(rows, path), path, join)]
    if {"mismatch_position", "pronoun", "sentence"} <= set(header):
        return [suite_of_reflexives(records_of(rows, path), path, join)]
    if header == list(VARIANT_COLUMNS):
        return suites_of_variants(records_of(rows, path), path, join)
    if known_columns(header) or tuple(header[: len(OWN)]) == OWN:
        return suites_of_pairs(records_of(rows, path), path)
    if chinese_column(rows):
        return [suite_of_climp(rows, path)]
    raise UnknownFormatError(
        f"{path}: which columns hold the good and the bad sentences? The columns are {listed(header)}; "
        f"{ASK_FOR_COLUMNS}"
    )


def suite_of_text(path: Path, join: Join) -> Suite:
    """The suite of a .txt file."""
    lines = numbered_lines(read_text(path))
    if is_clams(lines):
        return read_clams(path)
    if is_zorro(lines):
        return read_zorro(path, join)
    raise UnknownFormatError(
        f"{path}: a text file is read as CLAMS (True or False, a tab, a sentence) or Zorro (tokenised lower-case "
        "sentences, bad and good ones in turn), and this is neither"
    )
