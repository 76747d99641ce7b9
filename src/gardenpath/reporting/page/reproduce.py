"""The commands that reproduce runs and a report, from the specifications that runs record."""

import shlex
from collections.abc import Sequence
from pathlib import Path

from gardenpath.io.spec import Spec, flag_of
from gardenpath.reporting.papers.catalog import PaperChoice
from gardenpath.runs.manifest import Manifest, SuiteRecord
from gardenpath.suites.catalog import builtin_collections


def run_command(manifest: Manifest, folder: Path) -> str:
    """The `gardenpath run` that wrote a folder; of people, the `gardenpath study analyse`."""
    if study := (manifest.model_extra or {}).get("study"):
        return shlex.join(["gardenpath", "study", "analyse", str(study)])
    spec = manifest.run_spec()
    if not manifest.spec and not manifest.options.get("suites"):  # early folders do not record how suites were named
        spec = spec.model_copy(update={"suites": tuple(name_suites(manifest.suites))})
    return shlex.join(["gardenpath", "run", *options_of_spec(spec), "--out", str(folder)])


def options_of_spec(spec: Spec) -> list[str]:
    """The command-line options for a specification, without those at their default and those that change no result."""
    words = []
    for name, field in type(spec).model_fields.items():
        value, flag = getattr(spec, name), flag_of(type(spec), name)
        match value:
            case _ if not flag.changes_results:
                pass
            case tuple():
                words += [word for one in value for word in (flag.option, str(one))]
            case _ if value == field.default:
                pass
            case bool():
                words.append(flag.option if value else f"--no-{flag.option[2:]}")
            case _:
                words += [flag.option, str(value)]
    return words


def name_suites(suites: Sequence[SuiteRecord]) -> list[str]:
    """Name suites on the command line: complete collections by their name, files by their path."""
    collections = builtin_collections()
    builtin = {name for names in collections.values() for name in names}
    run = {suite.name for suite in suites}
    names: dict[str, None] = {}
    for suite in suites:
        collection = next((each for each, members in collections.items() if each and suite.name in members), "")
        if collection and set(collections[collection]) <= run:
            names[collection] = None
        elif suite.name not in builtin and Path(suite.source).suffix and "/" in suite.source:
            names[suite.source] = None
        else:
            names[suite.name] = None
    return list(names)


def report_command(
    folders: Sequence[Path], out: str | Path, models: str | Path | None, paper: str | PaperChoice | None = None
) -> str:
    """The `gardenpath report` that wrote the page."""
    words = ["gardenpath", "report", *map(str, folders), "--out", str(Path(out))]
    words += ["--models", str(Path(models))] if models else []
    if paper is not None:
        choice = PaperChoice(paper) if isinstance(paper, str) else paper
        words += ["--paper", choice.name, *(word for path in choice.corpora for word in ("--corpus", str(Path(path))))]
    return shlex.join(words)
