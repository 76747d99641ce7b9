"""Suites by name, several at once, and samples of them."""

import pytest
from suite_files import Write

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.load import load_suite, load_suites, sample_items
from gardenpath.suites.suite import Suite


def test_names_files_folders_and_suites_can_be_mixed(write: Write) -> None:
    mine = Suite.from_pairs([("He runs.", "He run.")], name="mine")
    path = write("folder/pairs.csv", "good,bad\nHe runs.,He run.\n")
    loaded = load_suites("agreement", mine, path)
    assert [suite.name for suite in loaded] == ["agreement", "mine", "pairs"]
    assert loaded[1] is mine
    assert load_suites(path.parent) == load_suites(path)


def test_two_suites_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two suites are called 'agreement'"):
        load_suites("agreement", load_suite("agreement"))


def test_a_collection_is_not_one_suite() -> None:
    with pytest.raises(InputError, match=r"'blimp' is 67 suites, not one: .* and 62 more; name one of them"):
        load_suite("blimp")
    with pytest.raises(InputError, match="did you mean 'agreement'"):
        load_suite("agrement")


def test_columns_are_named_in_one_text(write: Write) -> None:
    path = write("s.csv", "one,two\nHe runs.,He run.\n")
    (suite,) = load_suites(path, columns="good=one,bad=two")
    assert suite.items[0].sentences["bad"].text == "He run."


def test_a_sample_keeps_order_and_depends_on_the_seed_alone() -> None:
    suite = load_suite("agreement")
    ids = [item.id for item in suite.items]
    drawn = [item.id for item in sample_items(suite, 5, seed=1).items]
    assert drawn == [item.id for item in load_suite("agreement", sample=5, seed=1).items]
    assert drawn == sorted(drawn, key=ids.index)
    assert drawn != [item.id for item in sample_items(suite, 5, seed=2).items]
    assert sample_items(suite, 100).items == suite.items


def crossed_pairs() -> str:
    """Twenty-four pairs of two crossed factors, with a remark on some."""
    rows = [
        f"{a}{n} runs {x}.,{a}{n} run {x}.,{a},{b},{'checked' if x % 2 else ''}"
        for n, (a, b) in enumerate((a, b) for a in ("sing", "plur") for b in ("sing", "plur"))
        for x in range(6)
    ]
    return "\n".join(["good,bad,number,attractor,remark", *rows])


def test_a_sample_over_crossed_factors_says_what_they_are(write: Write) -> None:
    path = write("pairs.csv", crossed_pairs())
    cells = r"'pairs': the sample is 3 per cell of number × attractor × remark \(24 of 24 items\); --columns ignore="
    with pytest.warns(InputWarning, match=cells):
        assert len(load_suite(path, sample=3).items) == 24
    with pytest.warns(InputWarning, match=r"3 per cell of number × attractor \(12 of 24 items\)"):
        assert len(load_suite(path, sample=3, columns="ignore=remark").items) == 12
    for others in ("ignore=attractor", "ignore=attractor,good=good,bad=bad"):
        assert len(load_suite(path, sample=3, columns=f"ignore=remark,{others}").items) == 6


def test_columns_that_are_ignored_are_neither_factors_nor_regions(write: Write) -> None:
    path = write("keys.csv", "list,item,condition,noun,verb,remark\n1,1,a,Keys,are,yes\n1,1,b,Keys,is,no\n")
    suite = load_suite(path, columns="ignore=list,ignore=remark")
    assert [item.levels for item in suite.items] == [{}]
    assert [region.name for region in suite.items[0].sentences["a"].regions] == ["noun", "verb"]
    with pytest.raises(InputError, match="no column 'lst'"):
        load_suite(path, columns="ignore=lst")
