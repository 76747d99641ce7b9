"""Suites by name or by path, and the built-in one."""

from pathlib import Path

import pytest
from suite_files import Write

from gardenpath.errors import InputError
from gardenpath.suites.catalog import builtin_names, find_suites


def test_the_built_in_names() -> None:
    assert "agreement" in builtin_names()
    assert builtin_names() == sorted(builtin_names())


def test_a_path_wins(write: Write) -> None:
    path = write("agreement", "").parent / "pairs.csv"
    path.write_text("good,bad\nHe runs.,He run.\n")
    assert [suite.name for suite in find_suites(str(path))] == ["pairs"]


def test_joins_as_asked(write: Write) -> None:
    path = write("a-b.txt", "he run .\nhe runs .\n")
    assert find_suites(str(path), join="space")[0].items[0].sentences["good"].text == "he runs ."


@pytest.mark.parametrize("name", ["agreemet", "agrement"])
def test_an_unknown_name_gets_the_closest(name: str) -> None:
    with pytest.raises(
        InputError, match=f"'{name}' is neither a file or folder nor a built-in suite; did you mean 'agree"
    ):
        find_suites(name)


def test_a_name_far_from_all() -> None:
    with pytest.raises(InputError, match="`gardenpath suites list` shows the built-in ones"):
        find_suites(str(Path("no") / "such.json"))


def test_agreement_is_fully_crossed() -> None:
    (suite,) = find_suites("agreement")
    assert len(suite.items) == 32
    assert suite.source == "gardenpath:agreement"
    regions = ["intro", "subject", "prep", "attractor_np", "verb", "continuation"]
    for item in suite.items:
        verbs = {name: sentence.content("verb") for name, sentence in item.sentences.items()}
        assert verbs["match_sing"] == verbs["mismatch_plural"] != verbs["match_plural"] == verbs["mismatch_sing"]
        for number in ("sing", "plural"):
            match, mismatch = item.sentences[f"match_{number}"], item.sentences[f"mismatch_{number}"]
            assert [region.name for region in match.regions] == regions
            assert match.text[: match.region("verb").start] == mismatch.text[: mismatch.region("verb").start]
            assert match.content("continuation") == mismatch.content("continuation")
        assert all(sentence.text.endswith(".") for sentence in item.sentences.values())
    assert len({sentence.text for _, sentence in suite.trials()}) == 128
