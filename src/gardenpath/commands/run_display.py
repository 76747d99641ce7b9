"""The events of a run on the terminal: a status line, a progress bar, notes."""

from contextlib import ExitStack
from typing import Any

from gardenpath.commands.terminal import print_notes, progress_bar, show_status
from gardenpath.io.printable import printable
from gardenpath.runs import events


class RunDisplay(ExitStack):
    """Shows events of a run; to be used as a context manager and given as `on_event`."""

    def __init__(self) -> None:
        super().__init__()
        self.bar: Any = None
        self.task: Any = None
        self.finished: list[str] = []
        """A line about every model that is done."""

    def __call__(self, event: events.RunEvent) -> None:
        match event:
            case events.ReadingSuites():
                self.show_status("Reading suites …")
            case events.LoadingModel(model):
                self.show_status(f"Loading {model} …")
            case events.ScoringStarted(model, work):
                self.close()
                self.bar = self.enter_context(progress_bar())
                self.task = self.bar.add_task(printable(model), total=work)
            case events.ScoringAdvanced(_, work):
                self.bar.advance(self.task, work)
            case events.RunNote(text):
                print_notes([text])
            case events.ModelFinished(model, texts, computed):
                self.close()
                how = "all remembered" if computed == 0 else f"{computed:,} computed now"
                self.finished.append(f"{model}: {texts:,} sentences, {how}")

    def show_status(self, text: str) -> None:
        """Show a status line instead of what was shown before."""
        self.close()
        self.enter_context(show_status(text))
