"""What a person sees of a training: bars on a terminal, one line per validation, notes."""

from typing import Self

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from gardenpath.commands.terminal import describing_column, err, print_line, print_notes
from gardenpath.commands.termination import STOPPED
from gardenpath.io.printable import printable
from gardenpath.training import events


class TrainingView:
    """Shows the events of a training."""

    def __init__(self) -> None:
        texts = (describing_column(), BarColumn(), TextColumn("{task.fields[detail]}"))
        columns = (*texts, TimeElapsedColumn(), TimeRemainingColumn())
        self.bars = Progress(*columns, console=err, transient=True, disable=not err.is_terminal)
        self.series: TaskID | None = None
        self.stage: tuple[str, TaskID] | None = None
        self.finished = False
        self.stopped = False

    def __enter__(self) -> Self:
        self.bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.bars.stop()
        if kind in STOPPED and not self.stopped:
            print_line("stopped; the same command begins again, or resumes from the last saved state if there is one")

    def bar(self, name: str, total: float | None) -> TaskID:
        """The bar of a stage, which takes the place of the one before."""
        if self.stage is None or self.stage[0] != name:
            if self.stage is not None:
                self.bars.remove_task(self.stage[1])
            self.stage = name, self.bars.add_task(printable(name), total=total, detail="")
        return self.stage[1]

    def show(self, event: events.Event) -> None:
        """Show an event."""
        match event:
            case events.Working(stage):
                self.bar(f"{stage} …", None)
            case events.BytesRead(stage, path, read):
                self.bars.advance(self.bar(f"{stage} {path}", path.stat().st_size if path.is_file() else None), read)
            case events.Step():
                self.show_step(event)
            case events.SeriesStarted(words, models):
                self.series = self.bars.add_task(f"series of {models}", total=words, detail="")
            case events.MemberFinished(words=words) if self.series is not None:
                self.bars.advance(self.series, words)
            case events.Note(text):
                print_notes([text])
            case _:
                self.show_line(event)

    def show_line(self, event: events.Event) -> None:
        """Show an event that is worth a line."""
        match event:
            case events.Measured() | events.TrainingResumed():
                print_line(str(event))
            case events.CorpusRead():
                rate = f"{event.unknown / event.words:.1%} unknown{event.detail}"
                print_line(f"{event.path}: {event.sentences:,} {event.unit}, {event.words:,} words, {rate}")
            case events.TrainingStarted(kind, parameters, budget, folder):
                print_line(f"{kind}: {parameters:,} parameters, budget {budget}")
                self.bar(str(folder), 1.0)
            case events.TrainingFinished(updates=updates, budget=budget):
                self.finished = True
                if not updates:
                    print_line(f"there was nothing left to train within {budget}; give a larger --budget to continue")
            case events.Stopping():
                print_line("stopping after this update; once more stops at once, without saving")
            case events.TrainingStopped(out, epoch, batch, batches, tokens):
                self.stopped = True
                where = f"epoch {epoch:,}, after batch {batch:,} of {batches:,} ({tokens:,} tokens)"
                print_line(f"stopped and saved in {out}: the same command resumes from {where}")
            case events.MemberStarted(folder, number, of, there):
                print_line(f"{folder}{' is there already' if there else ''} ({number} of {of})")

    def show_step(self, step: events.Step) -> None:
        """Show speed and loss of an update, and what a validation found."""
        assert self.stage is not None
        speed = f"{step.tokens_per_second:,.0f} tokens/s"
        self.bars.update(self.stage[1], completed=min(1.0, step.spent), detail=f"{speed}  loss {step.loss:.2f}")
        if (validation := step.validation) is not None:
            extra = "".join(f"{name.replace('_', ' ')} {value:.4g}, " for name, value in validation.extra.items())
            print_line(
                f"epoch {step.epoch}, {step.tokens:,} tokens: validation {validation.measure.replace('_', ' ')} "
                f"{format_perplexity(validation.perplexity)} ({extra}learning rate {step.learning_rate:g}, {speed})"
            )


def format_perplexity(perplexity: float) -> str:
    """A number that stays short when a training goes wrong."""
    return f"{perplexity:.2f}" if perplexity < 1e6 else f"{perplexity:.3g}"
