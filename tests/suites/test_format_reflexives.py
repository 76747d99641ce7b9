"""The stimuli of Hu, Chen and Levy: conditions by mismatch, the criterion on sums over variants."""

from pathlib import Path

import numpy as np
import pytest
from suite_files import Write

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.load import read_suite
from gardenpath.suites.prediction import Reference

HEADER = (
    "item,clause_type,locality,c-command,grammatical,counterbalance,mismatch_position,mismatch_feature,"
    "matrix_subj_noun,rc_subj_noun,verb,pronoun,sentence,sentence_no_eos"
)
SENTENCES = {
    ("none", "a"): "The boy that the father liked saw himself .",
    ("none", "b"): "The father that the boy liked saw himself .",
    ("matrix_subj", "a"): "The boys that the father liked saw himself .",
    ("matrix_subj", "b"): "The fathers that the boy liked saw himself .",
    ("rc_subj", "a"): "The boy that the fathers liked saw himself .",
    ("rc_subj", "b"): "The father that the boys liked saw himself .",
}


def row(position: str, variant: str, item: int = 1, *, plain: str | None = None) -> str:
    """A line as released; the column `grammatical` is wrong on purpose."""
    sentence = SENTENCES[position, variant]
    return f"{item},rc,local,yes,1,{variant},{position},number,x,y,saw,himself,{sentence} <eos>,{plain or sentence}"


def stimuli(write: Write, rows: list[str], header: str = HEADER) -> Path:
    return write("stimuli/exp2-rc/himself.csv", "\n".join([header, *rows]) + "\n")


ROWS = [row(position, variant, item) for item in (1, 2) for position, variant in SENTENCES]


def test_conditions_come_from_the_mismatch(write: Write) -> None:
    suite = read_suite(stimuli(write, ROWS))
    assert suite.name == "exp2-rc_himself"
    kinds = ("baseline", "ungrammatical", "distractor")
    assert [c.name for c in suite.conditions] == [f"{kind}_{letter}" for kind in kinds for letter in "ab"]
    assert suite.conditions[0].levels == {"kind": "baseline", "counterbalance": "a"}
    sentence = suite.items[0].sentences["distractor_b"]
    assert sentence.text == "The father that the boys liked saw himself."
    assert sentence.content("pronoun") == "himself"
    assert [item.id for item in suite.items] == ["1", "2"]


def test_space_keeps_the_period_apart(write: Write) -> None:
    suite = read_suite(stimuli(write, ROWS), join="space")
    assert suite.items[0].sentences["baseline_a"].text.endswith("himself .")


@pytest.mark.parametrize(
    ("ungrammatical", "holds"),
    [
        ((9.0, 5.0), {"total": True, "vs-baseline": True, "vs-distractor": True}),
        ((7.0, 6.0), {"total": False, "vs-baseline": True, "vs-distractor": False}),
    ],
)
def test_the_criterion_is_about_sums_over_variants(
    write: Write, ungrammatical: tuple[float, float], holds: dict[str, bool]
) -> None:
    suite = read_suite(stimuli(write, ROWS))
    bits = {"baseline": (6.0, 6.0), "distractor": (6.5, 7.0), "ungrammatical": ungrammatical}
    values = {
        Reference("pronoun", f"{kind}_{variant}"): np.array([value])
        for kind, pair in bits.items()
        for variant, value in zip("ab", pair, strict=True)
    }
    assert {p.name: bool(p.formula.margin(values)[0] > 0) for p in suite.predictions} == holds


def test_further_variants_are_named(write: Write) -> None:
    rows = [f"{r},{subject}" for r in ROWS[:6] for subject in ("male", "female")]
    suite = read_suite(stimuli(write, rows, HEADER + ",subject"))
    assert len(suite.conditions) == 12
    assert suite.conditions[1].name == "baseline_female_a"


def test_the_sentence_with_end_mark_is_right(write: Write) -> None:
    path = stimuli(write, [row("none", "a", plain="The boy that the wives liked saw himself ."), *ROWS[1:]])
    with pytest.warns(InputWarning, match=r"himself\.csv: 'sentence' and 'sentence_no_eos' differ in lines '2'"):
        suite = read_suite(path)
    assert "father" in suite.items[0].sentences["baseline_a"].text


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [ROWS[0].replace(",none,", ",object,")],
            r"himself\.csv, line 2: 'mismatch_position' is 'object'; known values: 'none'",
        ),
        ([ROWS[0], ROWS[0]], "line 3: item '1' of 'exp2-rc_himself' already has the variant 'baseline_a'"),
        ([ROWS[0].replace(",himself,", ",herself,")], "line 2: the pronoun 'herself' is not a word of 'The boy that"),
        (ROWS[:3], "need equally many variants, not {'baseline': 2, 'distractor': 0, 'ungrammatical': 1}"),
        (ROWS[:-1], r"himself\.csv: suite 'exp2-rc_himself', item '2': no sentence for the condition 'distr"),
    ],
)
def test_errors_name_the_line(write: Write, rows: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_suite(stimuli(write, rows))
