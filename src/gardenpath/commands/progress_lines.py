"""Progress where standard error is not a terminal: a line at most every minute, so that a log shows progress."""

import time
from typing import Any

from rich.progress import Progress, Task, TaskID

from gardenpath.commands.terminal import err, print_line
from gardenpath.io.durations import format_duration

SECONDS = 60.0
"""The least time between two lines, and before the first."""


class ProgressLines(Progress):
    """Prints lines instead of drawing a bar."""

    def __init__(self) -> None:
        super().__init__(console=err, disable=True)
        self.started = self.last = time.monotonic()

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Note progress, and print a line if a minute has passed."""
        super().advance(task_id, advance)
        self.print_if_due(self.tasks[self.task_ids.index(task_id)])

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """Change a task, and print a line if a minute has passed."""
        super().update(task_id, **changes)
        self.print_if_due(self.tasks[self.task_ids.index(task_id)])

    def print_if_due(self, task: Task) -> None:
        """Print how far a task is, if a minute has passed."""
        now = time.monotonic()
        if now - self.last >= SECONDS:
            self.last = now
            print_line(describe_task(task, now - self.started))


def describe_task(task: Task, seconds: float) -> str:
    """Write how far a task is after so many seconds, and how long it will take."""
    if not task.total:
        return f"{task.description}: {task.completed:,.0f} after {format_duration(seconds)}"
    done = min(1.0, task.completed / task.total)
    left = f", about {format_duration(seconds * (1 - done) / done)} left" if 0 < done < 1 else ""
    return f"{task.description}: {100 * done:.0f} % after {format_duration(seconds)}{left}"
