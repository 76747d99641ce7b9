"""From surprisals to outcomes."""

import numpy as np
import polars
import pytest

from gardenpath.errors import InputWarning
from gardenpath.evaluation.chance import chance
from gardenpath.evaluation.evaluate import Outcomes, evaluate
from gardenpath.evaluation.region_bits import measured_regions, region_bits, unigram_table
from gardenpath.models.protocol import TextModel
from gardenpath.models.tokenizers import WordTokenizer, space_words
from gardenpath.runs.folder import outcome_table
from gardenpath.runs.run import run_model
from gardenpath.runs.spec import RunSpec
from gardenpath.statistics.accuracy import accuracy
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.formula_parser import parse_formula
from gardenpath.suites.prediction import Prediction, Reference
from gardenpath.suites.suite import Condition, Item, Suite, join_regions
from small_models import WordModel


def two_by_two(formula: str, *items: tuple[str, str]) -> Suite:
    """A suite of pairs with regions subject, verb."""
    made = [
        Item(
            str(number),
            {
                "good": join_regions([("subject", good.rsplit(" ", 1)[0]), ("verb", good.rsplit(" ", 1)[1])]),
                "bad": join_regions([("subject", bad.rsplit(" ", 1)[0]), ("verb", bad.rsplit(" ", 1)[1])]),
            },
        )
        for number, (good, bad) in enumerate(items)
    ]
    prediction = Prediction.parse("p", formula)
    return Suite("pairs", (Condition("good"), Condition("bad")), tuple(made), (prediction,))


def run(model, suite: Suite, **options):
    return run_model(model, [suite], RunSpec(**options))


WHOLE = "(*;%good%) < (*;%bad%)"
VERB = "(verb;%good%) < (verb;%bad%)"
PAIR = ("the dog barks", "the dog bark")


def table(suite: Suite, outcomes: Outcomes) -> polars.DataFrame:
    """The outcomes of a prediction as a table with its chance."""
    rows = outcome_table("m", [suite], [outcomes])
    return rows.with_columns(polars.lit(outcomes.chance).alias("chance"))


def test_a_pair_is_won_by_its_margin() -> None:
    model = WordModel(lambda context, word: 5.0 if word == "bark" else 2.0)
    (outcomes,) = run(model, two_by_two(VERB, PAIR)).outcomes
    (outcome,) = outcomes
    assert (outcome.margin, outcome.status, outcome.credit) == (3.0, "correct", 1.0)


def test_a_nan_model_gets_nothing_right_and_everything_invalid() -> None:
    model = WordModel(lambda context, word: float("nan"))
    (suite,) = find_suites("agreement")
    (outcomes,) = run(model, suite).outcomes
    (row,) = accuracy(table(suite, outcomes)).to_dicts()
    assert (row["correct"], row["accuracy"], row["strict_accuracy"]) == (0, 0.0, 0.0)
    assert row["invalid"] == row["n"] == len(suite.items)


def test_a_constant_model_gets_exactly_chance_and_strictly_nothing() -> None:
    (suite,) = find_suites("agreement")
    (outcomes,) = run(WordModel(lambda context, word: 3.0), suite).outcomes
    (row,) = accuracy(table(suite, outcomes)).to_dicts()
    assert row["accuracy"] == pytest.approx(chance(suite.predictions[0].formula))
    assert row["strict_accuracy"] == 0.0
    assert row["ties"] == row["n"]


def test_a_tie_within_the_noise_of_the_model() -> None:
    bits_of = {"barks": 2.0, "bark": 2.0005}
    near = WordModel(lambda context, word: bits_of.get(word, 1.0), noise=1e-3)
    far = WordModel(lambda context, word: bits_of.get(word, 1.0), noise=1e-4)
    assert [outcome.status for outcome in run(near, two_by_two(VERB, PAIR)).outcomes[0]] == ["tie"]
    assert [outcome.status for outcome in run(far, two_by_two(VERB, PAIR)).outcomes[0]] == ["correct"]


def test_one_tie_of_three_ways_counts_a_half_two_count_a_third() -> None:
    formula = parse_formula("[(1;%u%) > (1;%b%)] & [(1;%u%) > (1;%d%)]")
    sentences = {name: join_regions([("x", "a")]) for name in "ubd"}
    items = tuple(Item(str(number), sentences) for number in range(4))
    suite = Suite("s", tuple(Condition(name) for name in "ubd"), items, (Prediction("p", formula),))
    bits = {
        Reference("1", "u"): np.array([2.0, 2.0, 2.0, 2.0]),
        Reference("1", "b"): np.array([2.0, 2.0, 2.0, 1.0]),
        Reference("1", "d"): np.array([2.0, 1.0, 3.0, 1.0]),
    }
    (outcomes,) = evaluate(suite, measured_regions(bits), noise=0.0)
    assert outcomes.credit == pytest.approx([1 / 3, 1 / 2, 0, 1])
    assert outcomes.strict.tolist() == [False, False, False, True]
    assert [outcome.status for outcome in outcomes] == ["tie", "tie", "wrong", "correct"]


def test_equality_and_at_least_say_themselves_what_a_tie_is() -> None:
    model = WordModel(lambda context, word: 1.0)
    assert run(model, two_by_two("(verb;%good%) >= (verb;%bad%)", PAIR)).outcomes[0].credit.tolist() == [1.0]
    assert run(model, two_by_two("(verb;%good%) = (verb;%bad%)", PAIR)).outcomes[0].credit.tolist() == [1.0]


def test_missing_first_price_cancels_where_the_first_word_is_the_same() -> None:
    def bits_of(context: tuple[str, ...], word: str) -> float:
        return float("nan") if not context else (5.0 if word == "bark" else 2.0)

    model = WordModel(bits_of, bos=None)
    suite = two_by_two(WHOLE, PAIR, ("the dog barks", "a dog bark"))
    (outcomes,) = run(model, suite).outcomes
    assert [outcome.status for outcome in outcomes] == ["correct", "invalid"]
    assert outcomes.margin[0] == 3.0


def test_missing_first_prices_do_not_cancel_when_divided_by_different_lengths() -> None:
    def bits_of(context: tuple[str, ...], word: str) -> float:
        return float("nan") if not context else 2.0

    suite = two_by_two(WHOLE, ("the dog barks", "the old dog barks"), ("the dog barks", "the dog bark"))
    (outcomes,) = run(WordModel(bits_of, bos=None), suite, normalise="mean").outcomes
    assert [outcome.status for outcome in outcomes] == ["invalid", "tie"]


def test_a_region_in_which_no_token_begins_has_no_bits() -> None:
    model = WordModel(lambda context, word: 1.0)
    model.tokenizer = WordTokenizer(space_words, model.number, known=lambda word: True)
    sentences = {name: join_regions([("word", word), ("stop", ".")]) for name, word in (("a", "x"), ("b", "y"))}
    prediction = Prediction.parse("p", "(stop;%a%) < (stop;%b%)")
    suite = Suite("s", (Condition("a"), Condition("b")), (Item("1", sentences),), (prediction,))
    with pytest.warns(InputWarning, match=r"in 1 items no token of the model begins in \(stop;%a%\)"):
        (outcomes,) = run(model, suite).outcomes
    assert [outcome.status for outcome in outcomes] == ["invalid"]


def test_a_tie_with_a_constant_in_the_formula_counts_half() -> None:
    bits_of = {"barks": 1.0, "bark": 3.0}
    model = WordModel(lambda context, word: bits_of.get(word, 1.0))
    (outcomes,) = run(model, two_by_two("(verb;%bad%) > (verb;%good%) + 2", PAIR)).outcomes
    assert (outcomes.credit.tolist(), np.isnan(outcomes.chance)) == ([0.5], True)


def test_region_bits_add_up_to_sentence_bits() -> None:
    model = WordModel(lambda context, word: len(context) + len(word) / 7)
    (suite,) = find_suites("agreement")
    done = run(model, suite)
    rows = {text: row for row, text in enumerate(done.texts)}
    for _, sentence in suite.trials():
        surprisals = done.scores[rows[sentence.text]]
        assert sum(surprisals.of(region) for region in sentence.regions) == pytest.approx(surprisals.total)


def test_unknown_words_are_counted_and_can_be_left_out() -> None:
    model = WordModel(lambda context, word: float(len(word)))
    suite = two_by_two(WHOLE, PAIR, ("the zzdog barks", "the zzdog bark"))
    (outcomes,) = run(model, suite).outcomes
    rows = table(suite, outcomes)
    assert accuracy(rows).select("n", "coverage").rows() == [(2, 0.5)]
    assert accuracy(rows, leave_out_unknown=True).select("n", "coverage").rows() == [(1, 0.5)]


@pytest.mark.parametrize(
    ("normalisation", "expected"),
    [
        ("none", 12.0 - 9.0),
        ("mean", 12.0 / 4 - 9.0 / 3),
        ("character", 12.0 / 9 - 9.0 / 8),
        ("penlp", 12.0 / ((5 + 4) / 6) ** 0.8 - 9.0 / ((5 + 3) / 6) ** 0.8),
    ],
)
def test_normalised_scores_by_hand(normalisation: str, expected: float) -> None:
    model = WordModel(lambda context, word: 3.0)
    suite = two_by_two(WHOLE, ("a bc def", "a bc d ef"))
    (outcomes,) = run(model, suite, normalise=normalisation).outcomes
    assert outcomes.margin[0] == pytest.approx(expected)


def test_slor_takes_off_what_the_words_cost_on_their_own() -> None:
    model = WordModel(lambda context, word: 3.0)
    suite = two_by_two(WHOLE, ("a b", "a c"))
    scores_of = {"a": 2, "b": 5, "c": 1}
    ids = np.repeat([model.number(word) for word in scores_of], list(scores_of.values()))
    table = unigram_table(ids, len(model.words))
    done = run(model, suite)
    rows = {text: row for row, text in enumerate(done.texts)}
    regions = region_bits(suite, done.scores, rows, normalisation="slor", unigram_bits=table)
    # Counts 2, 5, 1 and one more for each of the four words of the vocabulary (with </s>).
    cost = {"a": -np.log2(3 / 12), "b": -np.log2(6 / 12), "c": -np.log2(2 / 12)}
    assert regions.bits[Reference("*", "good")][0] == pytest.approx((6.0 - cost["a"] - cost["b"]) / 2)
    assert regions.bits[Reference("*", "bad")][0] == pytest.approx((6.0 - cost["a"] - cost["c"]) / 2)


def test_word_models_read_left_to_right() -> None:
    assert not isinstance(WordModel(lambda context, word: 1.0), TextModel)
