"""Budgets and schedules."""

from typing import Any

import pytest

from gardenpath.errors import InputError
from gardenpath.training.loop.schedule import learning_rate
from gardenpath.training.specs.budget import Budget, exact_text, parse_budget
from gardenpath.training.specs.parts import Optimisation


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("5epochs", Budget(5, "epochs")),
        ("1 epoch", Budget(1, "epochs")),
        ("2Mtokens", Budget(2_000_000, "tokens")),
        ("1.5k tokens", Budget(1500, "tokens")),
        ("30minutes", Budget(30, "minutes")),
        ("1.5hours", Budget(90, "minutes")),
        ("1234567 tokens", Budget(1_234_567, "tokens")),
        ("1e-05 minutes", Budget(1e-5, "minutes")),
    ],
)
def test_budgets_are_read(text: str, budget: Budget) -> None:
    assert parse_budget(text) == parse_budget(exact_text(budget)) == budget


@pytest.mark.parametrize(
    ("text", "shown"),
    [("10s", "10 seconds"), ("1s", "1 second"), ("70s", "70 seconds"), ("60s", "1 minute"), ("2min", "2 minutes"),
     ("1.5h", "90 minutes"), ("1epoch", "1 epoch")],
)  # fmt: skip
def test_budgets_are_shown_without_fractions_of_minutes(text: str, shown: str) -> None:
    assert str(parse_budget(text)) == shown
    assert parse_budget(shown) == parse_budget(text)


@pytest.mark.parametrize(
    "text", ["5", "epochs", "-1epochs", "5 weeks", "2Mepochs", "0epochs", "", "90ss", "5ms", "0s", "2M"]
)
def test_other_budgets_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="budget"):
        parse_budget(text)


def test_schedules_by_hand() -> None:
    def rate(schedule: Any, *, updates: int = 0, spent: float = 0.0, cuts: int = 0, warmup: int = 0) -> float:
        options = Optimisation(learning_rate=8.0, schedule=schedule, factor=2.0, warmup=warmup)
        return learning_rate(options, updates=updates, spent=spent, cuts=cuts)

    assert [rate("plateau", cuts=cuts) for cuts in range(3)] == [8, 4, 2]
    assert rate("constant", updates=999, spent=0.9) == 8
    assert [rate("cosine", spent=spent) for spent in (0, 1 / 3, 0.5, 1)] == pytest.approx([8, 6, 4, 0])
    assert [rate("constant", updates=updates, warmup=4) for updates in (0, 1, 3, 9)] == [2, 4, 8, 8]
    assert rate("inverse-sqrt", updates=15, warmup=4) == 4
    assert rate("inverse-sqrt", updates=1, warmup=4) == 4
