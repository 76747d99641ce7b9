"""How many independent items those that share words are worth."""

import json

import numpy as np
import polars
import pytest

from gardenpath.statistics.accuracy import accuracy
from gardenpath.statistics.effective_items import effective_items
from small_outcomes import outcomes


def worth(credits: list[float], **slots: list[str]) -> float:
    fillers = [dict(zip(slots, words, strict=True)) for words in zip(*slots.values(), strict=True)]
    return float(effective_items(outcomes(credits, fillers=fillers), "credit", ["suite"])["effective_n"].item())


def verbs(number: int, items: int) -> list[str]:
    return [f"v{at // items}" for at in range(number * items)]


def test_items_without_fillers_are_independent() -> None:
    rows = outcomes([1, 0, 1])
    assert effective_items(rows, "credit", ["suite"]).rows() == [("s", 3.0)]
    assert effective_items(rows.drop("fillers"), "credit", []).rows() == [(3.0,)]


def test_a_design_effect_by_hand() -> None:
    # Ten verbs of ten items each, all alike: Σ (Σ e)² = 100 Σ e² / 10, so the design effect is 10 · (10/9) / (100/99).
    credits = [float(at // 10 < 7) for at in range(100)]
    seen = 10 * (10 / 9) / (100 / 99)
    effect = (9 * seen + 1 + 0.1 * 9) / 10
    student = (1.9842169515 / 2.2621571628) ** 2  # t of 99 and of 9 degrees of freedom
    assert worth(credits, verb=verbs(10, 10)) == pytest.approx(100 / effect * student, abs=1e-4)


def test_words_of_one_item_each_change_nothing() -> None:
    assert worth([1, 0] * 20, verb=[f"v{at}" for at in range(40)]) == 40


def test_few_words_are_no_sample_of_words() -> None:
    credits = [float(at < 40) for at in range(80)]
    assert worth(credits, determiner=["the"] * 40 + ["a"] * 40) == 80
    assert worth(credits, verb=verbs(5, 16)) < 20


def test_slots_that_vary_together_count_once() -> None:
    credits = [float(at // 10 < 7 and at % 10 < 8) for at in range(100)]
    one, twice = verbs(10, 10), [f"{verb}s" for verb in verbs(10, 10)]
    assert worth(credits, verb=one, form=twice) == worth(credits, verb=one)
    crossed = [f"n{at % 10}" for at in range(100)]
    assert worth(credits, verb=one, noun=crossed) < worth(credits, verb=one)


def test_each_group_is_as_if_alone() -> None:
    rng = np.random.default_rng(0)
    fillers = [{"verb": f"v{at % 6}", "noun": f"n{at % 7}"} for at in range(60)]
    parts = [
        outcomes(list(rng.integers(2, size=60).astype(float)), suite=suite, fillers=fillers) for suite in ("s", "t")
    ]
    together = effective_items(polars.concat(parts), "credit", ["suite"])["effective_n"].to_list()
    alone = [effective_items(part, "credit", ["suite"])["effective_n"].item() for part in parts]
    assert together == pytest.approx(alone)
    assert all(0 < number <= 60 for number in together)


def test_all_right_is_not_taken_for_words_that_do_not_matter() -> None:
    assert worth([1.0] * 100, verb=verbs(10, 10)) < 80


def test_one_slot_can_be_chosen() -> None:
    fillers = [{"verb": f"v{at // 40}", "noun": f"n{at % 10}"} for at in range(80)]
    rows = outcomes([float(at < 40) for at in range(80)], fillers=fillers)
    (noun,), (verb,) = (accuracy(rows, clusters=f"filler:{slot}").to_dicts() for slot in ("noun", "verb"))
    assert noun["effective_n"] > 50
    assert verb["effective_n"] < 2  # two verbs that decide everything
    assert (verb["low"], verb["high"]) == (pytest.approx(0, abs=0.2), pytest.approx(1, abs=0.2))


def test_names_of_columns_do_not_get_in_the_way() -> None:
    fillers = [json.dumps({"slot": f"v{at // 10}"}) for at in range(60)]
    rows = outcomes([1.0, 0.0] * 30, fillers=fillers).with_columns(slot=polars.lit("x"), word=polars.lit("y"))
    assert effective_items(rows, "credit", ["slot", "word", "words"]).columns[:3] == ["slot", "word", "words"]


@pytest.mark.parametrize("credit", [1 / 3, 0.1, 2 / 3])
def test_a_constant_is_constant_up_to_rounding(credit: float) -> None:
    # Sums of thirds are whole up to rounding, which is no spread between words.
    assert worth([credit] * 100, verb=verbs(10, 10)) == worth([1.0] * 100, verb=verbs(10, 10))
