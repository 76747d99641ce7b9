"""Surprisal of words and regions, added up by hand."""

import polars
import pytest

from gardenpath.errors import InputError
from gardenpath.statistics.surprisal_profiles import condition_profiles, region_surprisals, word_profile

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


def test_an_unknown_item_or_suite_is_refused() -> None:
    sentence = tokens("1", "good", [("A", "x", 1.0)])
    with pytest.raises(InputError, match="no item '2'"):
        word_profile(sentence, "s", "2")
    with pytest.raises(InputError, match="no tokens of a suite 't'"):
        condition_profiles(sentence, "t")


def two_items() -> polars.DataFrame:
    cat = [("The", "np", 1.0), (" cat", "np", 6.0)]
    dog = [("The", "np", 1.0), (" do", "np", 2.0), ("g", "np", 2.0)]
    sentences = [
        tokens("1", "good", [*cat, (" sleeps", "verb", 4.0)]), tokens("1", "bad", [*cat, (" sleep", "verb", 9.0)]),
        tokens("2", "good", [*dog, (" sleeps", "verb", 2.0)]), tokens("2", "bad", [*dog, (" sleep", "verb", 5.0)]),
    ]  # fmt: skip
    return polars.concat(sentences)


def test_the_mean_of_a_condition() -> None:
    table = condition_profiles(two_items(), "s")
    good = table.filter(polars.col("condition") == "good")
    assert good.select("position", "label", "region", "bits", "log_probability", "n").rows() == [
        (1, "The", "np", 1.0, -1.0, 2), (2, "np", "np", 5.0, -5.0, 2), (3, "sleeps", "verb", 3.0, -3.0, 2),
    ]  # fmt: skip
    assert good.select("low", "high").row(2) == (2.0, 4.0)
    assert good["note"].to_list() == ["no interval: all values equal", "", ""]


def test_a_label_without_word_or_region() -> None:
    both = polars.concat([tokens("1", "good", [("A", "", 1.0)]), tokens("2", "good", [("B", "", 2.0)])])
    assert condition_profiles(both, "s")["label"].to_list() == ["word 1"]


def test_regions_are_summed_before_they_are_averaged() -> None:
    table = region_surprisals(two_items())
    assert table.columns == ["model", "suite", "condition", "place", "region", "bits", "low", "high", "n", "note"]
    # np: (1 + 6 + 1 + 2 + 2) / 2 items, verb: (4 + 2) / 2.
    assert table.select("condition", "place", "region", "bits", "low", "high", "n").rows() == [
        ("good", 1, "np", 6.0, 5.0, 7.0, 2), ("good", 2, "verb", 3.0, 2.0, 4.0, 2),
        ("bad", 1, "np", 6.0, 5.0, 7.0, 2), ("bad", 2, "verb", 7.0, 5.0, 9.0, 2),
    ]  # fmt: skip


def test_regions_of_chosen_suites_only() -> None:
    both = polars.concat([two_items(), tokens("1", "good", [("A", "x", 1.0)], suite="t")])
    assert set(region_surprisals(both, suites=["t"])["suite"]) == {"t"}
    assert set(region_surprisals(both)["suite"]) == {"s", "t"}


def test_items_without_bits_are_left_out_and_counted() -> None:
    sentences = [("1", "good", NAN), ("2", "good", 3.0), ("1", "bad", NAN)]
    rows = polars.concat([tokens(item, condition, [("A", "x", bits)]) for item, condition, bits in sentences])
    good, bad = region_surprisals(rows).to_dicts()
    assert (good["bits"], good["n"], good["note"]) == (3.0, 1, "1 of 2 items without a surprisal")
    assert (bad["bits"], bad["low"], bad["n"], bad["note"]) == (None, None, 0, "1 of 1 items without a surprisal")
