"""Files and folders read as suites: which format a file has; `table_files` tells tables apart."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gardenpath.errors import InputError
from gardenpath.io.json_text import parse_json
from gardenpath.io.messages import advise, quote
from gardenpath.io.tables import Record, read_json_lines, to_record
from gardenpath.io.text_files import read_text
from gardenpath.io.workbook import WORKBOOK_SUFFIXES, is_workbook, split_sheet
from gardenpath.suites.formats.alternating_lines import (
    build_clams_suite,
    build_zorro_suite,
    is_clams,
    is_zorro,
    split_lines,
)
from gardenpath.suites.formats.blimp import build_blimp_suites
from gardenpath.suites.formats.named_columns import ASK_FOR_COLUMNS, ColumnChoice, NamedColumns
from gardenpath.suites.formats.pair_columns import find_columns
from gardenpath.suites.formats.pairs import build_pair_suites
from gardenpath.suites.formats.plugin_formats import plugin_suffixes, read_plugin_format
from gardenpath.suites.formats.syneval import read_syneval
from gardenpath.suites.formats.syntaxgym import parse_syntaxgym
from gardenpath.suites.formats.syntaxgym_hub import build_hub_suites
from gardenpath.suites.formats.table_files import (
    UnknownFormatError,
    holds_table,
    read_pairs_with,
    read_table_file,
    read_table_with,
)
from gardenpath.suites.suite import Join, Suite, unique_ids

PICKLES = (".pickle", ".pkl")
MODEL_FILES = {"checkpoint.json": "{}", "series.json": "{}", "config.json": "hf:{}"}
"""How a model is named, by the file that tells a folder of a model."""
READABLE_SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".txt", *WORKBOOK_SUFFIXES, *PICKLES)


def read_suites(path: str | Path, join: Join = "natural", columns: ColumnChoice = None) -> list[Suite]:
    """Read every suite of a file, or of all files of a folder; `columns` are those that the user names."""
    path = Path(path)
    if not path.is_dir():
        return read_file(path, join, columns)
    suites, faults = read_folder(path, join, columns)
    if faults:
        raise faults[0]
    return suites


def read_folder(
    path: Path, join: Join = "natural", columns: ColumnChoice = None
) -> tuple[list[Suite], list[InputError]]:
    """Read every file of a folder; return the suites of those that can be used, and an error for each other one."""
    suites: list[Suite] = []
    faults: list[InputError] = []
    unknown = []
    for file in find_suite_files(path):
        try:
            suites += read_file(file, join, columns)
        except UnknownFormatError:
            unknown.append(file.relative_to(path))
        except InputError as error:
            faults.append(error)
    if not suites and not faults:
        faults.append(no_suite(path))
    elif unknown:
        advise(f"{path}: {len(unknown)} files hold no suite and were skipped: {quote(unknown, most=5)}")
    return with_distinct_names(suites), faults


def no_suite(folder: Path) -> InputError:
    """Make the error for a folder without suites; that of a model may come from a pattern without quotes."""
    form = next((form for file, form in MODEL_FILES.items() if (folder / file).is_file()), "")
    if not form:
        files = sorted(path.name for path in folder.iterdir())
        there = f"the folder holds {quote(files)}" if files else "the folder is empty"
        return InputError(f"{folder}: no file here holds a suite; {there}")
    model = form.format(folder)
    return InputError(
        f"{folder} holds a model, not a suite: name it with --model {model}. If the shell expanded a pattern such as "
        f"--model {folder.parent / '*'}, quote it: --model '{form.format(folder.parent / '*')}'"
    )


def find_suite_files(folder: Path) -> list[Path]:
    """Return the files in a folder tree that may hold suites, sorted, without hidden ones."""
    suffixes = {*READABLE_SUFFIXES, *plugin_suffixes()}
    files = (file for file in folder.rglob("*") if file.suffix.lower() in suffixes and file.is_file())
    return sorted(file for file in files if not any(part[0] in "._~" for part in file.relative_to(folder).parts))


def with_distinct_names(suites: Sequence[Suite]) -> list[Suite]:
    """Return the suites with distinct names: those that share one are prefixed with the name of their folder."""
    count = Counter(suite.name for suite in suites)
    names = [f"{Path(s.source).parent.name}/{s.name}" if count[s.name] > 1 else s.name for s in suites]
    unique, repeated = unique_ids(names)
    if repeated:
        advise(f"suite names used more than once: {quote(dict.fromkeys(repeated))}; renamed to 'NAME#2' and so on")
    return [replace(s, name=name) if s.name != name else s for s, name in zip(suites, unique, strict=True)]


def read_file(path: Path, join: Join, columns: ColumnChoice) -> list[Suite]:
    """Read a table of which the user names columns, a file in one of our formats, or else in one of another package."""
    if isinstance(columns, NamedColumns):
        return read_table_with(path, join, columns)
    if columns:
        return read_pairs_with(path, columns)
    is_own = path.suffix.lower() in READABLE_SUFFIXES
    if not is_own and (suites := read_plugin_format(path, join)) is not None:  # before it is read as text
        return suites
    try:
        return read_own_format(path, join)
    except UnknownFormatError:
        suites = read_plugin_format(path, join) if is_own else None
        if suites is None:
            raise
        return suites


def read_own_format(path: Path, join: Join) -> list[Suite]:
    """Read a file in a format that gardenpath knows, by its content, and its extension where that is not enough."""
    file, sheet = split_sheet(path)
    if sheet or (path.suffix.lower() not in PICKLES and is_workbook(file)):
        return read_table_file(path, join)
    match path.suffix.lower():
        case ".json":
            return read_json_file(path, join)
        case ".jsonl" | ".ndjson":
            return build_suites_of_records(read_json_lines(path), path, join)
        case ".csv" | ".tsv":
            return read_table_file(path, join)
        case ".txt":
            return read_text_file(path, join)
        case ".pickle" | ".pkl":
            return [read_syneval(path)]
        case _:
            if holds_table(path):
                return read_table_file(path, join)
            if path.suffix.lower() in WORKBOOK_SUFFIXES:
                raise UnknownFormatError(f"{path}: despite its name this is not a workbook; save it as .xlsx or .csv")
            known = ", ".join(READABLE_SUFFIXES)
            raise UnknownFormatError(f"{path}: a suite is a file ending in {known}, or a folder of such files")


def read_json_file(path: Path, join: Join) -> list[Suite]:
    """Read the suites of a .json file: SyntaxGym's, or lines or an array of objects."""
    text = read_text(path)
    if not text.lstrip().startswith("{") or is_json_lines(text):
        return build_suites_of_records(read_json_lines(path), path, join)
    data = parse_json(text, path)
    if data.keys() & {"items", "region_meta"}:
        return [parse_syntaxgym(data, path, join)]
    return build_suites_of_records([to_record(data, path, 1)], path, join)


def is_json_lines(text: str) -> bool:
    """Return whether the first line is a whole object, and others follow."""
    first, _, rest = text.strip().partition("\n")
    return first.rstrip().endswith("}") and rest.lstrip().startswith("{")


def build_suites_of_records(records: Sequence[Record], path: Path, join: Join) -> list[Suite]:
    """Build the suites of JSON lines."""
    if not records:
        raise UnknownFormatError(f"{path}: the array is empty")
    keys = records[0].cells.keys()
    if {"suite_name", "conditions", "predictions"} <= keys:
        return build_hub_suites(records, path, join)
    if columns := find_columns(keys):
        build = build_blimp_suites if {"sentence_good", "sentence_bad"} <= keys else build_pair_suites
        return build(records, columns, path)
    raise UnknownFormatError(
        f"{path}: the keys of the good and the bad sentences are unknown; there are {quote(keys)}; {ASK_FOR_COLUMNS}"
    )


def read_text_file(path: Path, join: Join) -> list[Suite]:
    """Read the suites of a .txt file; Excel saves "Unicode text", a table, under that name."""
    if holds_table(path):
        return read_table_file(path, join)
    lines = split_lines(read_text(path))
    if is_clams(lines):
        return [build_clams_suite(lines, path)]
    if is_zorro(lines):
        return [build_zorro_suite(lines, path, join)]
    raise UnknownFormatError(
        f"{path}: a text file must be CLAMS (True or False, a tab, a sentence) or Zorro (tokenised lower-case "
        "sentences, bad and good ones alternating) or a table (the columns good and bad), and this one is neither"
    )
