"""Formulas give regions by number, also in suites with regions that are always empty and so have no token."""

import json
from pathlib import Path
from typing import Any

import polars
import pytest

import gardenpath as gp
from gardenpath.reporting.page.suites import suite_parts
from gardenpath.runs.numbered_regions import numbered_regions
from gardenpath.statistics.surprisal_profiles import region_profiles
from small_bigram import Bigram

NAMES = {"1": "intro", "2": "subj", "3": "modifier", "4": "verb"}
PREDICTIONS = ("(4;%a_sing%) < (4;%b_sing%)", "(4;%a_plur%) < (4;%b_plur%)")


def sentence(condition: str, *contents: str) -> dict[str, Any]:
    regions = [{"region_number": number, "content": text} for number, text in enumerate(contents, 1)]
    return {"condition_name": condition, "regions": regions}


def write_suite(folder: Path, *modifiers: str) -> Path:
    """Two items or more, each with the same modifier in all its sentences."""
    items = [
        {
            "item_number": number,
            "conditions": [
                sentence("a_sing", "the", noun, modifier, verb),
                sentence("b_sing", "the", noun, modifier, f"{verb[:-1]}"),
                sentence("a_plur", "the", f"{noun}s", modifier, f"{verb[:-1]}"),
                sentence("b_plur", "the", f"{noun}s", modifier, verb),
            ],
        }
        for number, (noun, verb, modifier) in enumerate(
            zip(["dog", "author"], ["barks", "laughs"], modifiers, strict=True), 1
        )
    ]
    predictions = [{"type": "formula", "formula": formula} for formula in PREDICTIONS]
    path = folder / "empty.json"
    suite = {"meta": {"name": "empty"}, "region_meta": NAMES, "predictions": predictions, "items": items}
    path.write_text(json.dumps(suite), encoding="utf-8")
    return path


@pytest.mark.parametrize("modifiers", [("", ""), ("", "now")])
def test_a_number_is_that_of_the_suite_although_a_region_is_empty(tmp_path: Path, modifiers: tuple[str, ...]) -> None:
    run = gp.run(models=[Bigram()], suites=[write_suite(tmp_path, *modifiers)], out=tmp_path / "run")
    read = gp.read_run(tmp_path / "run")
    for one in (run, read):
        assert [(condition["region"]) for condition in one.items()["sentences"][0]] == ["verb", "verb"]
        assert set(one.effects(by="condition")["region"]) == {"verb"}
        assert set(one.effects(by="contrast")["region"]) == {"verb"}
        assert "interaction" in one.effects(by="contrast")["effect"].to_list()
        long = one.long_items()
        assert set(long.filter("compared")["region"]) == {"verb"}
        assert long.select(polars.col("condition").null_count()).item() == 0
    regions = region_profiles(read.outcomes(), read.scan_tokens()).means
    assert set(regions.filter("critical")["region"]) == {"verb"}
    (page,) = suite_parts(gp.read_runs([tmp_path / "run"]))
    assert "verb" in json.dumps(page.description["predictions"])


def test_formulas_are_recorded_as_they_are_written(tmp_path: Path) -> None:
    suite = gp.load_suite(write_suite(tmp_path, "", ""))
    run = gp.run(models=[Bigram()], suites=[suite])
    assert run.manifest.suites[0].predictions["prediction_0"] == PREDICTIONS[0]
    assert run.manifest.suites[0].numbered_regions == {"4": "verb"}
    assert run.outcomes()["formula"][1] != run.manifest.suites[0].predictions["prediction_0"]


def test_only_numbers_that_tokens_do_not_tell_are_recorded(tmp_path: Path) -> None:
    assert numbered_regions(gp.load_suite(write_suite(tmp_path, "", "now"))) == {"4": "verb"}
    assert numbered_regions(gp.load_suite(write_suite(tmp_path, "now", "now"))) == {}
    assert numbered_regions(gp.load_suite("agreement")) == {}
