"""Responses from files of other tools, from a folder that holds responses, or from the database of a study."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from gardenpath.errors import InputError
from gardenpath.human.formats.collected import Collected, build_seen_suites, join_collected
from gardenpath.human.formats.columns import ColumnMap
from gardenpath.human.formats.study_items import compare_with_study
from gardenpath.human.responses import Responses, response_table, session_table
from gardenpath.human.responses_folder import RECORD, read_record
from gardenpath.human.study import Study
from gardenpath.io.messages import locate_errors

ResponseFormat = Literal["mturk", "jspsych", "ibex", "pcibex", "table"]
"""mturk: batch files. jspsych: JSON, also of JATOS and of exported pages. ibex, pcibex: results files. table: a row per
response."""
DATABASE = "study.db"


def read_responses(
    path: str | Path | Sequence[str | Path],
    *,
    format: ResponseFormat | None = None,
    columns: str | ColumnMap | None = None,
    study: str | Path | Study | None = None,
    database: str = "",
) -> Responses:
    """Read responses from one or more files of a format, or from the folder of a study or import.

    columns: the column of each field (`participant=COLUMN,item=COLUMN,…`), if the columns do not have the usual names.
    study: a study or its folder, from which items, right answers and exclusion rules are taken.
    database: the database of the study server, if not in the study's folder; by default the environment variable
    GARDENPATH_STUDY_DATABASE, as for the server.

    >>> from pathlib import Path
    >>> _ = Path("answers.csv").write_text("participant,item,choice,rt\\np1,1,good,900\\np2,1,bad,700\\n")
    >>> read_responses("answers.csv", format="table")
    <Responses: 2 responses of 2 participants in 2 sessions, to 1 item of 1 suite>
    """
    paths = [Path(one) for one in ([path] if isinstance(path, str | Path) else path)]
    if not paths:
        raise InputError("no file with responses is named; name at least one")
    if format is None:
        return read_folder(paths[0], database) if len(paths) == 1 else refuse_without_format(paths[0])
    if database or format not in get_args(ResponseFormat):
        raise InputError(
            f"the format is {format!r}, with database {database!r}; known formats: "
            f"{', '.join(get_args(ResponseFormat))}; a database belongs to the folder of a study, without a format"
        )
    known = read_named_study(study)
    found = read_files(paths, format, columns, known)
    return build_responses(found, known, paths)


def read_named_study(study: str | Path | Study | None) -> Study | None:
    """The study itself, read if its folder is named."""
    if study is None or isinstance(study, Study):
        return study
    from gardenpath.human.folder import read_study

    return read_study(Path(study))


def read_files(
    paths: Sequence[Path], format: ResponseFormat, columns: str | ColumnMap | None, study: Study | None
) -> Collected:
    """Read files of a format."""
    match format:
        case "mturk":
            from gardenpath.human.formats.mturk import read_batches

            return read_batches(paths, columns)
        case "jspsych":
            from gardenpath.human.formats.jspsych import read_jspsych

            return read_jspsych(paths, columns, study.digest if study else "")
        case "ibex" | "pcibex":
            from gardenpath.human.formats.ibex import read_ibex

            return join_collected(read_ibex(path, columns) for path in paths)
        case "table":
            from gardenpath.human.formats.long_table import read_long_table

            return join_collected(read_long_table(path, columns) for path in paths)


def build_responses(found: Collected, study: Study | None, paths: Sequence[Path]) -> Responses:
    """Check and type what a reader found; with a study, its items and rules are those of the study."""
    source = ", ".join(map(str, paths))
    if not found.responses:
        raise InputError(f"{source}: no response in it ({describe_skipped(found)}); name the columns with --columns")
    seen = {key: texts for key, texts in found.seen.items() if texts}
    suites = study.suites if study else build_seen_suites(seen, paths[0])
    rows, skipped = found.responses, dict[str, int]()
    with locate_errors(paths[0]):
        if study:
            rows, skipped = compare_with_study(rows, study, unnamed={"", *(path.stem for path in paths)})
        if not rows:
            raise InputError("all responses are to items that the study does not have; is --study the right one?")
        return Responses(
            response_table(rows), session_table(found.sessions), suites, source=source,
            skipped={what: number for what, number in {**found.skipped, **skipped}.items() if number},
            **({"exclusions": study.spec.exclusions} if study else {}),
        )  # fmt: skip


def describe_skipped(found: Collected) -> str:
    """What was found instead of responses."""
    return ", ".join(f"{number:,} {what}" for what, number in found.skipped.items() if number) or "it is empty"


def read_folder(folder: Path, database: str) -> Responses:
    """Read responses that were imported, or those in the database of a study; an import is preferred."""
    if not folder.is_dir():
        return refuse_without_format(folder)
    from gardenpath.human.server.connection import ADDRESS, database_address

    own = folder / DATABASE
    address = database or database_address(folder)
    imported = (folder / RECORD).exists()
    if imported and not database and not is_snapshot(folder, address):
        return Responses.read(folder)
    if address == str(own) and not own.exists():
        raise InputError(
            f"{folder} holds no responses: there is neither {RECORD} nor {DATABASE}; name the format of other files, "
            f"or the database of the server (--database, or {ADDRESS} in the environment)"
        )
    from gardenpath.human.folder import read_study
    from gardenpath.human.server.database import read_database

    study = read_study(folder)
    responses, sessions = read_database(study, address)
    return Responses(responses, sessions, study.suites, study.spec.exclusions, source=str(own))


def is_snapshot(folder: Path, address: str) -> bool:
    """Whether the responses in a folder were taken from the database of the study, which may have more by now."""
    elsewhere = address != str(folder / DATABASE)
    taken = str(read_record(folder).get("source", "")).endswith(DATABASE)
    return taken and (elsewhere or (folder / DATABASE).exists())


def refuse_without_format(path: Path) -> Responses:
    """Raise for a file whose format is not named."""
    if not path.exists():
        raise InputError(f"{path}: there is no such file or folder; check the path")
    raise InputError(f"{path}: name its format, one of {', '.join(get_args(ResponseFormat))}")
