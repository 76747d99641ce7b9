"""The files that `gardenpath table --harness` writes."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.commands.terminal import print_line, print_notes

if TYPE_CHECKING:
    from gardenpath.runs.results import Runs


def write_harness(runs: "Runs", path: Path | None, models: Sequence[str]) -> None:
    """Write the results of models as lm-evaluation-harness does, if wanted: to a file, or to a folder one for each."""
    if path is None:
        return
    from gardenpath.runs.harness_results import note_own_items, write_harness_folder, write_harness_results

    if path.suffix != ".json" and (path.is_dir() or not path.exists()):
        written = write_harness_folder(runs, path, models=models)
        print_line(f"the results in the harness's layout are in {path}: {', '.join(file.name for file in written)}")
    else:
        write_harness_results(runs, path, model=models[0] if len(models) == 1 else None)
        print_line(f"the results in the harness's layout are in {path}")
    print_notes(note_own_items(runs))
