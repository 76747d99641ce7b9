"""The events of a run on the terminal: a status line, a progress bar, notes."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from gardenpath.commands.held_notes import HeldNotes
from gardenpath.commands.progress import progress_bar
from gardenpath.commands.stored_share import StoredShare, describe_share
from gardenpath.commands.terminal import print_line, print_notes, print_rows, show_status
from gardenpath.io.printable import printable
from gardenpath.runs import events

if TYPE_CHECKING:
    from gardenpath.runs.results import Run


class RunDisplay(ExitStack):
    """Shows events of a run; to be used as a context manager and given as `on_event`."""

    def __init__(self) -> None:
        super().__init__()
        self.bar: Any = None
        self.task: Any = None
        self.done = 0  # the work of complete parts
        self.finished: list[str] = []
        """A line about every model that is done."""
        self.notes = HeldNotes()
        self.share = StoredShare()

    def __enter__(self) -> Self:
        self.notes.__enter__()
        return super().__enter__()

    def __exit__(self, *error: Any) -> Any:
        done = super().__exit__(*error)
        self.notes.__exit__()
        return done

    def close(self) -> None:
        """End what is shown, such as a bar; notes are held further."""
        super().__exit__(None, None, None)

    def __call__(self, event: events.RunEvent) -> None:
        self.share.follow(event)
        match event:
            case events.ReadingSuites():
                self.show_status("Reading suites …")
            case events.LoadingModel(model):
                self.close()
                self.notes.print()
                self.show_status(f"Loading {model} …")
            case events.ScoringStarted(model, work, texts):
                self.close()
                self.notes.print()
                self.bar = self.enter_context(progress_bar())
                self.done = 0
                self.task = self.bar.add_task(printable(f"{model}, {texts:,} sentences"), total=work)
            case events.PartAdvanced(_, work):
                self.bar.advance(self.task, work)
            case events.ScoringAdvanced(_, work):
                self.done += work
                self.bar.update(self.task, completed=self.done)
            case events.ReadingShards(count):
                self.show_status(f"Reading {count:,} shards …")
            case events.ShareFinished(model, low, high, parts, computed):
                self.close()
                self.finished.append(f"{model}: {describe_share(low, high, parts, computed)}")
            case events.RunNote(text):
                self.notes.notes.append(text)
            case events.ModelFinished(model, texts, computed):
                self.close()
                self.notes.print()
                how = "all cached" if computed == 0 else f"{computed:,} computed now"
                self.finished.append(f"{model}: {texts:,} sentences, {how}")

    def show_status(self, text: str) -> None:
        """Show a status line instead of what was shown before."""
        self.close()
        self.enter_context(show_status(text))


def show_results(run: "Run", folder: Path, display: RunDisplay, *, as_json: bool) -> None:
    """Print the table of a run that was written to a folder and its hardest items, and add its picture there."""
    from gardenpath.commands.item_view import print_hardest
    from gardenpath.reporting.figures.charts.accuracy import accuracy_chart
    from gardenpath.reporting.figures.files import write_pictures
    from gardenpath.runs.saving import PICTURES
    from gardenpath.statistics.overall import overall_rows

    rows = run.manifest.results
    if rows or as_json:  # suites without predictions are only scored
        print_rows([*rows, *overall_rows(run.overall())], as_json=as_json, by=run.spec.by or "suite")
    if any(row["n"] for row in rows):
        write_pictures(accuracy_chart(rows), [folder / picture for picture in PICTURES])
    if not as_json:
        print_notes(run.coverage_notes())
        print_hardest(run, folder)
        print_line("\n".join([*display.finished, f"Results are in {folder}"]))
