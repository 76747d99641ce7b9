"""Surprisal of words and regions, added up by hand."""

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.effects import effects
from gardenpath.statistics.surprisal_profiles import region_profiles, word_profile, word_profiles

NAN = float("nan")
Piece = tuple[str, str, float]


def tokens(item: str, condition: str, pieces: list[Piece], *, model: str = "m", suite: str = "s") -> polars.DataFrame:
    """The tokens of a sentence: text, region, bits; a space before the text begins a word."""
    rows, end = [], 0
    for number, (text, region, bits) in enumerate(pieces):
        start = end + (len(text) - len(text.lstrip()))
        end = start + len(text.strip())
        rows.append((model, suite, item, condition, number, text.strip(), region, start, end, bits, True))
    names = ["model", "suite", "item", "condition", "token", "text", "region", "start", "end", "bits", "known"]
    return polars.DataFrame(rows, schema=names, orient="row")


def test_pieces_make_words() -> None:
    nouns = [("The", "np", 1.0), (" fire", "np", 2.0), ("place", "np", 3.0)]
    pieces = [*nouns, (" burns", "verb", 4.0), (".", "verb", 0.5)]
    table = word_profile(tokens("1", "good", pieces), "s", "1")
    assert table.columns == ["model", "condition", "position", "word", "region", "bits", "log_probability"]
    assert table.select("position", "word", "region", "bits", "log_probability").rows() == [
        (1, "The", "np", 1.0, -1.0), (2, "fireplace", "np", 5.0, -5.0), (3, "burns", "verb", 4.0, -4.0),
        (4, ".", "verb", 0.5, -0.5),
    ]  # fmt: skip


def test_a_mark_within_a_sentence_belongs_to_its_word() -> None:
    pieces = [("Yes", "a", 1.0), (",", "a", 2.0), (" it", "a", 3.0), ("'s", "a", 4.0), ("?", "a", 5.0), ("!", "a", 1.0)]
    assert word_profile(tokens("1", "good", pieces), "s", "1")["word"].to_list() == ["Yes,", "it's?", "!"]


def test_models_with_other_tokens_share_words() -> None:
    whole = tokens("1", "good", [("Authors", "np", 9.0), (" laugh", "verb", 4.0)], model="words")
    pieces = tokens("1", "good", [("Auth", "np", 5.0), ("ors", "np", 1.0), (" laugh", "verb", 3.0)], model="pieces")
    table = word_profile(polars.concat([whole, pieces]).lazy(), "s", "1")
    assert table.select("model", "position", "word", "bits").rows() == [
        ("words", 1, "Authors", 9.0), ("words", 2, "laugh", 4.0), ("pieces", 1, "Authors", 6.0),
        ("pieces", 2, "laugh", 3.0),
    ]  # fmt: skip


def test_missing_bits_stay_missing() -> None:
    table = word_profile(tokens("1", "good", [("A", "x", NAN), (" b", "x", 1.0)]), "s", "1")
    assert table["bits"].to_list() == [None, 1.0]


def outcomes(
    margins: dict[str, list[float]], formula: str = "(verb;%good%) < (verb;%bad%)", *, suite: str = "s"
) -> polars.DataFrame:
    """The outcomes of items: the margin of every comparison."""
    rows = [("m", suite, "p", item, formula, own, False) for item, own in margins.items()]
    names = ["model", "suite", "prediction", "item", "formula", "margins", "left_out"]
    return polars.DataFrame(rows, schema=names, orient="row")


def test_an_unknown_item_or_suite_is_refused() -> None:
    sentence = tokens("1", "good", [("A", "x", 1.0)])
    with pytest.raises(InputError, match="no item '2'"):
        word_profile(sentence, "s", "2")
    with pytest.raises(InputError, match="no tokens of a suite 't'"):
        word_profiles(outcomes({"1": [1.0]}), sentence, "t")


def two_items() -> polars.DataFrame:
    cat = [("The", "np", 1.0), (" cat", "np", 6.0)]
    dog = [("The", "np", 1.0), (" do", "np", 2.0), ("g", "np", 2.0)]
    sentences = [
        tokens("1", "good", [*cat, (" sleeps", "verb", 4.0)]), tokens("1", "bad", [*cat, (" sleep", "verb", 9.0)]),
        tokens("2", "good", [*dog, (" sleeps", "verb", 2.0)]), tokens("2", "bad", [*dog, (" sleep", "verb", 5.0)]),
    ]  # fmt: skip
    return polars.concat(sentences)


VERBS = {"1": [5.0], "2": [3.0]}
"""How much higher the bits of the verb are in the bad sentence of both items."""
T_1 = 12.706205
"""The tabulated 97.5 % point of Student's t with one degree of freedom."""


def test_the_words_of_a_condition() -> None:
    found = word_profiles(outcomes(VERBS), two_items(), "s")
    good = found.means.filter(polars.col("condition") == "good")
    assert good.select("position", "region", "critical", "bits", "n").rows() == [
        (1, "The", False, 1.0, 2), (2, "np", False, 5.0, 2), (3, "sleeps / sleep", True, 3.0, 2),
    ]  # fmt: skip
    verb = found.differences.filter(polars.col("position") == 3).row(0, named=True)
    assert (verb["contrast"], verb["bits"], verb["n"]) == ("bad − good", 4.0, 2)


def test_positions_without_one_word_or_region() -> None:
    both = polars.concat([tokens("1", "good", [("A", "", 1.0)]), tokens("2", "good", [("B", "", 2.0)])])
    found = word_profiles(outcomes({"1": [1.0], "2": [1.0]}), both, "s")
    assert found.means["region"].to_list() == ["word 1"]


def test_positions_of_one_region_have_different_labels() -> None:
    texts = {"1": ("A", " B"), "2": ("C", " D")}
    both = polars.concat([tokens(i, "good", [(a, "np", 1.0), (b, "np", 2.0)]) for i, (a, b) in texts.items()])
    found = word_profiles(outcomes({"1": [1.0], "2": [1.0]}), both, "s")
    assert found.means["region"].to_list() == ["np 1", "np 2"]


def test_regions_are_summed_before_they_are_averaged() -> None:
    found = region_profiles(outcomes(VERBS), two_items())
    # np: (1 + 6 + 1 + 2 + 2) / 2 items, verb: (4 + 2) / 2.
    assert found.means.select("condition", "position", "region", "critical", "bits", "n").rows() == [
        ("good", 1, "np", False, 6.0, 2), ("good", 2, "verb", True, 3.0, 2),
        ("bad", 1, "np", False, 6.0, 2), ("bad", 2, "verb", True, 7.0, 2),
    ]  # fmt: skip


def test_intervals_of_conditions_are_within_items_and_adjusted_for_differences() -> None:
    verb = region_profiles(outcomes(VERBS), two_items()).means.filter(region="verb", condition="bad").row(0, named=True)
    # Differences of 5 and 3 bits, mean 4. Of two conditions, the adjusted half is half that of the paired interval.
    paired = T_1 * (2**0.5) / 2**0.5
    assert verb["high_adjusted"] - verb["bits"] == pytest.approx(paired / 2)
    assert verb["bits"] - verb["low_adjusted"] == pytest.approx(paired / 2)
    # Cousineau-Morey, as in `effects`: wider by the square root of two.
    assert verb["high"] - verb["bits"] == pytest.approx(paired / 2**0.5)
    effect = effects(outcomes(VERBS), two_items(), by="condition").filter(condition="bad").row(0, named=True)
    assert [effect[name] for name in ("bits", "low", "high", "n")] == [
        verb[name] for name in ("bits", "low", "high", "n")
    ]


def test_differences_of_items_that_share_words_are_those_of_effects() -> None:
    items = [two_items().with_columns(polars.col("item") + f"-{pair}") for pair in range(5)]
    margins = {f"{item}-{pair}": own for pair in range(5) for item, own in VERBS.items()}
    # Two items to a verb, both with the same margin.
    words = [f'{{"verb": "v{item.split("-")[0]}{int(item[-1]) // 2}"}}' for item in margins]
    rows = outcomes(margins).with_columns(polars.Series("fillers", words))
    verb = region_profiles(rows, polars.concat(items)).differences.filter(region="verb").row(0, named=True)
    effect, apart = (effects(table).row(0, named=True) for table in (rows, rows.drop("fillers")))
    assert (verb["low"], verb["high"]) == (pytest.approx(effect["low"]), pytest.approx(effect["high"]))
    assert effect["effective_n"] < apart["effective_n"] == 10


def test_differences_are_those_of_effects_with_a_bootstrap_interval() -> None:
    verb = region_profiles(outcomes(VERBS), two_items()).differences.filter(region="verb").row(0, named=True)
    effect = effects(outcomes(VERBS)).row(0, named=True)
    for name in ("bits", "low", "high", "n"):
        assert verb[name] == pytest.approx(effect[name])
    assert (verb["bootstrap_low"], verb["bootstrap_high"]) == (3.0, 5.0)


CROSSED = "[(verb;%a_x%) > (verb;%b_x%)] & [(verb;%a_y%) > (verb;%b_y%)]"
BITS = {"a_x": (4.0, 7.0, 5.0), "b_x": (2.0, 3.0, 4.0), "a_y": (3.0, 3.5, 2.0), "b_y": (1.0, 3.0, 2.5)}


def crossed_tokens() -> polars.DataFrame:
    """Three items in four conditions; in two of these a region is missing."""
    return polars.concat(
        tokens(str(item), condition, [("A", "np", 1.0), *([(" big", "modifier", 2.0)] if "x" in condition else []),
                                      (" verb", "verb", bits)])
        for condition, own in BITS.items() for item, bits in enumerate(own)
    )  # fmt: skip


def test_a_two_by_two_design_has_its_interaction() -> None:
    margins = {
        str(item): [BITS["a_x"][item] - BITS["b_x"][item], BITS["a_y"][item] - BITS["b_y"][item]] for item in range(3)
    }
    found = region_profiles(outcomes(margins, CROSSED), crossed_tokens()).differences
    verb = {row["contrast"]: row for row in found.filter(region="verb").to_dicts()}
    assert list(verb) == ["a_x − b_x", "a_y − b_y", "(a_x − b_x) − (a_y − b_y)"]
    both = effects(outcomes(margins, CROSSED))["bits"].to_list()
    assert [verb[name]["bits"] for name in ("a_x − b_x", "a_y − b_y")] == pytest.approx(both)
    # (4-2)-(3-1), (7-3)-(3.5-3), (5-4)-(2-2.5): 0, 3.5, 1.5.
    interaction = outcomes(
        {"0": [0.0], "1": [3.5], "2": [1.5]}, "[(verb;%a_x%)-(verb;%b_x%)] > [(verb;%a_y%)-(verb;%b_y%)]"
    )
    expected = effects(interaction).row(0, named=True)
    for name in ("bits", "low", "high", "n"):
        assert verb["(a_x − b_x) − (a_y − b_y)"][name] == pytest.approx(expected[name])
    assert found.filter(region="modifier")["contrast"].to_list() == ["a_x − b_x"]  # the only one with all conditions


def test_regions_that_are_compared_together_have_a_position_of_their_own() -> None:
    formula = "[(np;%good%) + (verb;%good%)] < [(np;%bad%) + (verb;%bad%)]"
    found = region_profiles(outcomes(VERBS, formula), two_items()).differences
    assert found.select("position", "region", "bits").rows() == [
        (1, "np", 0.0),
        (2, "verb", 4.0),
        (3, "np + verb", 4.0),
    ]
    whole = word_profiles(outcomes({**VERBS, "3": [10.0]}, "(*;%good%) < (*;%bad%)"), two_items(), "s", items=["1"])
    last = whole.differences.row(-1, named=True)
    assert (last["region"], last["bits"], last["n"]) == ("whole sentence", 6.0, 3)  # of all items
    assert whole.means["n"].unique().to_list() == [1]


def test_regions_against_each_other_have_no_difference_in_single_regions() -> None:
    found = region_profiles(outcomes(VERBS, "[(verb;%bad%) - (np;%bad%)] > [(verb;%good%) - (np;%good%)]"), two_items())
    assert found.differences.select("position", "region", "bits").rows() == [(3, "verb + np", 4.0)]
    assert found.differences["contrast"].to_list() != ["() − ()"]


def test_regions_of_chosen_suites_and_counted_items_only() -> None:
    other = tokens("1", "good", [("A", "x", 1.0)], suite="t")
    rows = polars.concat([two_items(), other])
    both = polars.concat([outcomes(VERBS), outcomes({"1": [1.0]}, suite="t")])
    assert set(region_profiles(both, rows, suites=["t"]).means["suite"]) == {"t"}
    assert set(region_profiles(both, rows).means["suite"]) == {"s", "t"}
    left_out = outcomes(VERBS).with_columns(left_out=polars.col("item") == "1")
    assert region_profiles(left_out, two_items()).means["n"].unique().to_list() == [1]


def test_suites_without_predictions_have_means_and_no_differences() -> None:
    found = region_profiles(outcomes(VERBS).clear(), two_items())
    assert found.means.select("condition", "region", "critical", "bits").row(3) == ("bad", "verb", False, 7.0)
    assert found.differences.height == 0


def test_items_without_bits_are_left_out_and_counted() -> None:
    sentences = [("1", "good", NAN), ("2", "good", 3.0), ("1", "bad", 1.0), ("2", "bad", 4.0)]
    rows = polars.concat([tokens(item, condition, [("A", "verb", bits)]) for item, condition, bits in sentences])
    found = region_profiles(outcomes({"1": [NAN], "2": [1.0]}), rows)
    good = found.means.row(0, named=True)
    assert (good["bits"], good["n"], good["note"]) == (3.0, 1, "no interval: one item")
    assert found.differences.select("bits", "n", "low").row(0) == (1.0, 1, None)
