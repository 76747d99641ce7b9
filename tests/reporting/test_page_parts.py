"""Formulas, pictures and commands of the report's page."""

from pathlib import Path

import pytest

from gardenpath.reporting.page.formulas import formula_tree
from gardenpath.reporting.page.outcomes import choose_evenly
from gardenpath.reporting.page.reproduce import options_of_spec, report_command, run_command
from gardenpath.reporting.page.sentences import SentenceGrid, require_same_texts
from gardenpath.reporting.page.svg import inline_svg
from gardenpath.runs.manifest import Manifest
from gardenpath.runs.spec import RunSpec
from gardenpath.statistics.region_names import merge_orders, read_formula
from gardenpath.suites.catalog import builtin_collections

A, B, C = ("(1;%a%) < (1;%b%)", "(2;%a%) < (2;%b%)", "(3;%a%) = (3;%b%)")


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (A, 0),
        (f"[{A}] & [{B}]", ["&", 0, 1]),
        (f"[{A}] & [{B}] & [{C}]", ["&", 0, 1, 2]),
        (f"[{A} & {B}] | [{C}]", ["|", ["&", 0, 1], 2]),
        (f"{A} | {B} & {C}", ["|", 0, ["&", 1, 2]]),
    ],
)
def test_how_comparisons_are_joined(formula: str, expected: object) -> None:
    assert formula_tree(read_formula(formula)) == expected


def test_regions_of_sentences_are_merged_in_order() -> None:
    assert merge_orders([["a", "c", "d"], ["a", "b", "d"], ["b", "d", "e"]]) == ["a", "b", "c", "d", "e"]
    assert merge_orders([]) == []


def test_values_are_chosen_evenly() -> None:
    assert choose_evenly(range(100), 3) == [0, 50, 99]  # 49.5 rounds to the even
    assert choose_evenly([4, 5], 9) == [4, 5]
    assert choose_evenly([4, 5], 0) == []


def test_characters_that_a_tokenizer_skips_do_not_make_another_sentence() -> None:
    grid = SentenceGrid({"1": 0}, {"good": 0})
    assert require_same_texts("s", {"m": ["a “b” c"], "n": ["a  b  c"]}, grid) == ["a “b” c"]


PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"
width="20" height="10" onload="alert(1)">
<rect width="20" height="10" fill="white"/><style>@import url(//evil)</style>
<script>alert(1)</script><foreignObject><body xmlns="http://www.w3.org/1999/xhtml">x</body></foreignObject>
<defs><clipPath id="c"><path d="M0,0"/></clipPath></defs>
<a x:href="javascript:alert(1)"><text>linked</text></a><image x:href="http://evil/x.png"/>
<g clip-path="url(#c)" fill="url(http://evil)" onclick="alert(1)" aria-label="a bar">
<text>&lt;b&gt; &amp; c</text></g></svg>"""


def test_inline_pictures_only_draw() -> None:
    drawn = inline_svg(PICTURE, prefix="f1-", label='"A" < B')
    removed = ("script", "alert", "evil", "foreignObject", "style", "image", "onclick", "linked", "a bar", '"white"')
    assert not [text for text in removed if text in drawn]
    assert 'id="f1-0"' in drawn
    assert 'clip-path="url(#f1-0)"' in drawn
    assert "&lt;b&gt; &amp; c" in drawn
    assert 'viewBox="0 0 20 10" role="img" aria-label="&quot;A&quot; &lt; B"' in drawn


def test_text_that_is_no_picture_is_refused() -> None:
    with pytest.raises(ValueError, match="begins with <html>"):
        inline_svg("<html/>", prefix="f", label="x")


def manifest(suites: list[dict[str, str]], /, **record: object) -> Manifest:
    models = [{"name": name, "fingerprint": ""} for name in ("smollm2", "my models/lstm")]
    described = [{"predictions": {}, "chance": {}, **suite} for suite in suites]
    return Manifest.model_validate({"models": models, "suites": described, **record})


def test_the_command_of_a_run_comes_from_its_specification() -> None:
    spec = RunSpec(models=("hf:gpt2",), suites=("blimp", "my data/x.csv"), sample=50, end=True, unknown="leave-out")
    assert run_command(manifest([], spec=spec.record()), Path("runs/x")) == (
        "gardenpath run --model hf:gpt2 --suite blimp --suite 'my data/x.csv' --sample 50 --end --unknown leave-out "
        "--out runs/x"
    )


def test_the_options_of_a_specification_give_the_specification(tmp_path: Path) -> None:
    spec = RunSpec(models=("a", "b"), seed=3, by="number", word_boundary="corrected", memory=64, out=tmp_path)
    words = options_of_spec(spec)
    given = dict(zip(words[4::2], words[5::2], strict=True))
    assert words[:4] == ["--model", "a", "--model", "b"]
    assert given == {"--by": "number", "--seed": "3", "--word-boundary": "corrected", "--memory": "64"}


def test_the_command_of_an_early_run() -> None:
    suites = [{"name": "agreement", "source": "gardenpath:agreement"}, {"name": "mine", "source": "data/mine.json"}]
    options = {"sample": 50, "seed": 3, "join": "natural", "normalisation": "mean", "score": {"end": True}}
    assert run_command(manifest(suites, options={**options, "columns": None}), Path("runs/x")) == (
        "gardenpath run --model smollm2 --model 'my models/lstm' --suite agreement --suite data/mine.json "
        "--sample 50 --seed 3 --end --normalise mean --out runs/x"
    )
    given = manifest([{"name": "a"}], options={"models": ["hf:gpt2"], "suites": ["blimp"]})
    assert run_command(given, Path("x")) == "gardenpath run --model hf:gpt2 --suite blimp --out x"


def test_a_complete_collection_is_named_by_its_name() -> None:
    members = builtin_collections()["reflexives"]
    whole = run_command(manifest([{"name": name} for name in members]), Path("x"))
    assert whole.endswith("--suite reflexives --out x")
    part = run_command(manifest([{"name": name} for name in members[1:]]), Path("x"))
    assert part.count("--suite reflexives/") == len(members) - 1


def test_the_command_of_a_report() -> None:
    command = report_command([Path("a b"), Path("c")], Path("r.html"), Path("metadata.csv"))
    assert command == "gardenpath report 'a b' c --out r.html --models metadata.csv"
