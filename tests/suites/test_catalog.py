"""Suites by name or by path, and the built-in ones."""

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from suite_files import Write

from gardenpath.commands.suites import check, list_suites
from gardenpath.errors import InputError, InputWarning
from gardenpath.runs.spec import RunSpec
from gardenpath.suites.catalog import DEFAULT_SUITES, builtin_collections, builtin_sources, find_suites, find_templates
from gardenpath.suites.formats.named_columns import choose_columns, parse_columns
from gardenpath.suites.load import load_suites, read_suite
from gardenpath.suites.published import published_accuracies

NAMES = sorted(source.name for source in builtin_sources())


def test_the_built_in_names() -> None:
    names = NAMES
    assert names == sorted(set(names))
    assert set(DEFAULT_SUITES) <= set(names)
    for name in (
        "agreement",
        "marvin-linzen/simple_agrmt",
        "marvin-linzen/github/simple_agrmt",
        "reflexives/2a-relative-clause-himself",
        "reflexives/released/2a-relative-clause-himself",
    ):
        assert name in names


def test_names_are_listed_without_generating_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("read_templates", "read_suites", "read_folder", "fill_template", "draw_suite"):
        monkeypatch.delattr(f"gardenpath.suites.catalog.{name}")
    assert len(builtin_sources()) > 100
    with pytest.raises(NameError):
        find_suites("agreement")


def test_collections() -> None:
    collections = builtin_collections()
    assert collections[""] == ["agreement"]
    numbers = {name: len(suites) for name, suites in collections.items()}
    expected = {"marvin-linzen": 22, "marvin-linzen/github": 22, "reflexives": 15, "reflexives/released": 15}
    assert numbers.items() >= expected.items()
    assert sorted(name for suites in collections.values() for name in suites) == NAMES


@pytest.mark.parametrize(
    ("name", "suites"),
    [
        ("marvin-linzen/vp_coord", ["marvin-linzen/vp_coord"]),
        ("marvin-linzen/github/vp_coord", ["marvin-linzen/github/vp_coord"]),
        ("reflexives/3-prepositional-phrase-herself", ["reflexives/3-prepositional-phrase-herself"]),
        (
            "reflexives/released/2a-relative-clause",
            [f"reflexives/released/2a-relative-clause-{pronoun}" for pronoun in ("himself", "herself", "themselves")],
        ),
    ],
)
def test_a_name_is_a_suite_or_all_suites_of_a_template(name: str, suites: list[str]) -> None:
    assert [suite.name for suite in find_suites(name)] == suites
    assert [template.name for template in find_templates(name)] == suites


def test_a_name_is_a_collection() -> None:
    assert [suite.name for suite in find_suites("reflexives")] == [
        template.name for template in find_templates("reflexives")
    ]
    assert len(find_suites("reflexives")) == 15


TEMPLATE = 'regions = ["s"]\nlexicon = "lexicon.toml"\n[slots]\nnoun = "noun"\n[conditions]\na = ["the {noun}"]\n'


def test_templates_of_the_user(write: Write) -> None:
    write("mine/lexicon.toml", '[lists]\nnoun = ["dog", "cat"]\n')
    path = write("mine/one.toml", TEMPLATE)
    write("mine/two.toml", TEMPLATE.replace("the", "a"))
    write("mine/items.tsv", "a table\n")
    (suite,) = find_suites(str(path))
    assert (suite.name, suite.source) == ("one", str(path))
    assert [suite.name for suite in find_suites(str(path.parent))] == ["one", "two"]
    assert [template.name for template in find_templates(str(path.parent))] == ["one", "two"]


def test_other_toml_files_hide_nothing(write: Write) -> None:
    folder = write("mine/pairs.csv", "good,bad\nHe runs.,He run.\n").parent
    write("mine/pyproject.toml", '[project]\nname = "mine"\n')
    assert [suite.name for suite in find_suites(str(folder))] == ["pairs"]
    assert find_templates(str(folder)) == []
    write("mine/lexicon.toml", '[lists]\nnoun = ["dog", "cat"]\n')
    write("mine/one.toml", TEMPLATE)
    assert [suite.name for suite in find_suites(str(folder))] == ["one"]


@pytest.mark.parametrize("kind", ["templates", "tables"])
def test_a_broken_file_hides_nothing_when_checked(write: Write, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    if kind == "templates":
        files = {
            "a.toml": "regions = [",
            "b.toml": 'regions = "s"\n',
            "c.toml": TEMPLATE + 'b = ["the {noun}"]\n[predictions]\np = "(*;%a%) < (*;%b%)"\n',
        }
        write("mine/lexicon.toml", '[lists]\nnoun = ["dog", "cat"]\n')
    else:
        files = {"a.csv": "good,bad\na\n", "b.json": "{", "c.csv": "good,bad\nHe ran .,He run .\n"}
    paths = [write(f"mine/{name}", content) for name, content in files.items()]
    with pytest.raises(typer.Exit):
        check([str(paths[0].parent)], as_json=True)
    told = json.loads(capsys.readouterr().out)
    broken, other, _ = files
    assert [name in error for name, error in zip((broken, other), told["errors"], strict=True)] == [True, True]
    assert "c" in {finding["suite"] for finding in told["findings"]}


def test_columns_are_named_by_the_user(write: Write) -> None:
    header, cells = ("no", "right", "wrong", "worse"), ("7", "He runs.", "He run.", "He running.")
    columns = parse_columns("good=right, bad=wrong,bad=worse,id=no")
    for name, content in (
        ("a.csv", f"{','.join(header)}\n{','.join(cells)}\n"),
        ("a.tsv", "\t".join(header) + "\n" + "\t".join(cells) + "\n"),
        ("a.jsonl", [dict(zip(header, cells, strict=True))]),
    ):
        (suite,) = find_suites(str(write(f"{name[2:]}/{name}", content)), columns=columns)
        (item,) = suite.items
        assert item.id == "7"
        assert {name: sentence.text for name, sentence in item.sentences.items()} == {
            "good": "He runs.",
            "bad_1": "He run.",
            "bad_2": "He running.",
        }
    (suite,) = find_suites(str(write("a.csv", "x,y\nHe runs.,He run.\n").parent / "csv"), columns=columns)
    assert suite.items[0].id == "7"
    assert load_suites(write("a.csv", "x,y\na b,a c\n"), columns="good=x,bad=y")[0].name == "a"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("good=a", "'good' and 'bad' are both needed"),
        ("", "'' is not KEY=COLUMN; the keys are good, bad, id, suite"),
        ("good=a,bad", "'bad' is not KEY=COLUMN"),
        ("good=a,ugly=b", "'ugly=b' is not KEY=COLUMN"),
        ("good=a,bad=b,good=c", "'good' is given twice; only 'bad', 'region', 'factor', 'ignore' may be repeated"),
        ("good=a,bad=b,item=c", "'item' is for tables of regions, 'good' and 'bad' are for pairs"),
        ("factor=a,factor=a", "the column 'a' is named twice"),
        ("factor=a,id=b", "'good' and 'bad' are both needed"),
    ],
)
def test_columns_that_cannot_be_understood(text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"--columns {text}: {message}"):
        parse_columns(text)


@given(
    st.permutations(["id=no", "bad=wrong", "good=right", "factor=worse", "ignore=remark"]), st.sets(st.integers(1, 4))
)
def test_several_columns_mean_the_same_as_one_with_commas(parts: list[str], cuts: set[int]) -> None:
    edges = [0, *sorted(cuts), len(parts)]
    several = [",".join(parts[start:end]) for start, end in pairwise(edges)]
    one = "good=right,bad=wrong,id=no,factor=worse,ignore=remark"
    assert choose_columns(several) == choose_columns(tuple(several)) == choose_columns(one)
    fields = RunSpec(columns=several)  # type: ignore[arg-type]
    assert choose_columns(fields.columns) == choose_columns(one)


def test_published_accuracies_of_an_unknown_collection() -> None:
    assert published_accuracies("") == []
    with pytest.raises(InputError, match="did you mean 'reflexives'"):
        published_accuracies("reflexive")


def test_a_built_in_name_wins_over_a_folder_and_a_path_names_the_folder(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write("agreement/pairs.csv", "good,bad\nHe runs.,He run.\n").parents[1])
    with pytest.warns(InputWarning, match="'agreement' is the built-in one, .* write './agreement'"):
        assert len(find_suites("agreement")[0].items) == 32
    for path in ("./agreement", "agreement/", "agreement/pairs.csv"):
        assert [suite.name for suite in find_suites(path)] == ["pairs"]
    assert read_suite("agreement").name == "pairs"


def test_regions_of_a_file_are_joined_as_requested(write: Write) -> None:
    assert [suite.name for suite in find_suites(str(write("pairs.csv", "good,bad\nHe runs.,He run.\n")))] == ["pairs"]
    (suite,) = find_suites(str(write("a-b.txt", "he run .\nhe runs .\n")), join="space")
    assert suite.items[0].sentences["good"].text == "he runs ."


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("no/such.json", ""),
        ("agreemet", "agreement"),
        ("agrement", "agreement"),
        ("marvin-linze", "marvin-linzen"),
        ("marvin-linzen/subj_rell", "marvin-linzen/subj_rel"),
        ("reflexives/2a-relative-clauses", "reflexives/2a-relative-clause"),
        ("number_prepp", "syntactic-generalization/number_prep"),
    ],
)
def test_an_unknown_name_gets_the_closest(name: str, meant: str) -> None:
    advice = f"did you mean '{meant}'" if meant else "`gardenpath suites list` prints the collections"
    with pytest.raises(InputError, match=f"unknown suite '{name}': not a file, a folder or a built-in suite; {advice}"):
        find_suites(name)


def test_a_name_without_its_collection_is_enough_where_only_one_suite_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [suite.name for suite in find_suites("mvrr")] == ["syntactic-generalization/mvrr"]
    with pytest.raises(InputError, match="'subj_rel' may be 'marvin-linzen/subj_rel' or 'marvin-linzen/github/subj_"):
        find_suites("subj_rel")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mvrr").mkdir()  # a folder of the user comes first
    (tmp_path / "mvrr" / "mine.csv").write_text("good,bad\nHe runs.,He run.\n", encoding="utf-8")
    assert [suite.name for suite in find_suites("mvrr")] == ["mine"]


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


def test_the_list_groups_collections(capsys: pytest.CaptureFixture[str]) -> None:
    list_suites()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split("\t")[:4] == ["agreement", "1", "32", "4"]
    assert [line.split("\t")[:4] for line in lines if line.startswith("reflexives")] == [
        ["reflexives", "15", "960", "6–48"],
        ["reflexives/released", "15", "1095", "6–48"],
    ]
    list_suites("reflexives/released/1b-sentential-complement")
    assert capsys.readouterr().out.split("\t")[0] == "reflexives/released/1b-sentential-complement-himself"
    list_suites(as_json=True)
    rows = json.loads(capsys.readouterr().out)
    named = [(row["suite"], row["collection"]) for row in rows]
    assert ("marvin-linzen/github/subj_rel", "marvin-linzen/github") in named
    assert sorted(row["suite"] for row in rows) == NAMES


def test_a_file_of_nearly_the_name_is_suggested(tmp_path: Path) -> None:
    (tmp_path / "sentences.csv").write_text("good,bad\nA b.,B a.\n", encoding="utf-8")
    wanted = re.escape(f"did you mean {str(tmp_path / 'sentences.csv')!r}? ")
    with pytest.raises(InputError, match=wanted):
        find_suites(str(tmp_path / "sentnces.csv"))
    with pytest.raises(InputError, match=r"or a built-in suite; `gardenpath suites list`"):
        find_suites(str(tmp_path / "absent" / "sentences.csv"))
