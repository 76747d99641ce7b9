"""The commands that make the same numbers again, from what runs recorded."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gardenpath.suites.catalog import builtin_collections

OPTIONS = {
    "sample": ("--sample", None), "seed": ("--seed", 0), "bos": ("--bos", "default"),
    "masking": ("--masking", "within-word"), "beam": ("--beam", "100/10"), "join": ("--join", "natural"),
    "columns": ("--columns", None), "normalisation": ("--normalise", "none"), "unigrams": ("--unigrams", ""),
    "unknown": ("--unknown", "keep"),
}  # fmt: skip
"""How the recorded options of a run are given, and what they are when they are not."""


def run_command(manifest: Mapping[str, Any], folder: Path) -> str:
    """The `gardenpath run` that wrote a folder; what is as by default is left out."""
    options = manifest.get("options", {})
    words = ["gardenpath", "run"]
    for model in options.get("models") or [card["name"] for card in manifest["models"]]:
        words += ["--model", model]
    for suite in options.get("suites") or suite_names(manifest["suites"]):
        words += ["--suite", suite]
    for name, (flag, usual) in OPTIONS.items():
        if options.get(name, usual) not in (usual, None):
            words += [flag, str(options[name])]
    scoring = options.get("score", {})
    words += ["--end"] if scoring.get("end") else []
    if scoring.get("word_boundary", "none") != "none":
        words += ["--word-boundary", scoring["word_boundary"]]
    return shlex.join([*words, "--out", str(folder)])


def suite_names(suites: Sequence[Mapping[str, Any]]) -> list[str]:
    """How suites are named on the command line: whole collections by theirs, files of the user's by their path."""
    collections = builtin_collections()
    builtin = {name for names in collections.values() for name in names}
    left = {suite["name"]: str(suite.get("source", "")) for suite in suites}
    named: dict[str, None] = {}
    for name, source in left.items():
        whole = next((each for each, names in collections.items() if each and name in names), "")
        if whole and set(collections[whole]) <= set(left):
            named[whole] = None
        elif name not in builtin and Path(source).suffix and "/" in source:
            named[source] = None
        else:
            named[name] = None
    return list(named)


def report_command(folders: Sequence[Path], out: Path, facts: Path | None) -> str:
    """The `gardenpath report` that makes the page."""
    words = ["gardenpath", "report", *map(str, folders), "--out", str(out)]
    return shlex.join([*words, *(["--models", str(facts)] if facts else [])])
