"""How much of a scoring is stored while it is under way, and which share of a run was computed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gardenpath.commands.terminal import print_line
from gardenpath.commands.termination import STOPPED, terminable
from gardenpath.runs import events


class StoredShare:
    """Follows the events of a run, to describe what is stored when it is stopped."""

    def __init__(self) -> None:
        self.model = ""
        self.work = self.stored = 0
        self.is_kept = False

    def follow(self, event: events.RunEvent) -> None:
        """Add what an event says."""
        match event:
            case events.ScoringStarted(model, work, is_kept=is_kept):
                self.model, self.work, self.stored, self.is_kept = model, work, 0, is_kept
            case events.ScoringAdvanced(_, work):
                self.stored += work * self.is_kept

    @contextmanager
    def printed_if_stopped(self, close: Callable[[], None]) -> Iterator[None]:
        """Print how much is stored if Ctrl-C or the signal to terminate stops the run; `close` ends what is shown."""
        with terminable():
            try:
                yield
            except STOPPED:
                close()
                print_line(self.describe())
                raise

    def describe(self) -> str:
        """Write what a run that is stopped has stored for the next one.

        >>> share = StoredShare()
        >>> share.follow(events.ScoringStarted("smollm2", work=50, texts=10, remembered=0))
        >>> share.follow(events.ScoringAdvanced("smollm2", work=10))
        >>> share.describe()
        'stopped; 20 % of the scores that smollm2 had to compute are stored: the same command resumes from here'
        """
        if not self.stored:
            scores = f"scores of {self.model}" if self.model else "scores"
            return f"stopped; no new {scores} are stored yet: the same command computes them from the start"
        share = f"{100 * self.stored // self.work} % of the scores that {self.model} had to compute"
        return f"stopped; {share} are stored: the same command resumes from here"


def describe_share(low: int, high: int, parts: int, computed: int) -> str:
    """Write which parts of a plan are in a shard, and how many were computed now."""
    if low == high:
        return "its only part is in another shard" if parts == 1 else f"none of its {parts:,} parts is in this shard"
    which = f"part {high:,}" if high - low == 1 else f"parts {low + 1:,} to {high:,}"
    return f"{which} of {parts:,}, {computed:,} computed now"
