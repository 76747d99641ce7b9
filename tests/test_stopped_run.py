"""What a run that is stopped says of the next one."""

import pytest

from gardenpath.commands.stored_share import StoredShare
from gardenpath.runs import events


@pytest.mark.parametrize(
    ("is_kept", "advanced", "said"),
    [
        (True, [], "no new scores of m are stored yet: the same command computes them from the start"),
        (True, [5, 10], "30 % of the scores that m had to compute are stored: the same command resumes from here"),
        (False, [5], "no new scores of m are stored yet: the same command computes them from the start"),
    ],
    ids=["nothing", "some", "a model without a fingerprint"],
)
def test_only_what_is_stored_is_claimed(is_kept: bool, advanced: list[int], said: str) -> None:
    share = StoredShare()
    share.follow(events.ScoringStarted("m", 50, 10, 0, is_kept=is_kept))
    for work in advanced:
        share.follow(events.ScoringAdvanced("m", work))
    assert share.describe() == f"stopped; {said}"
