"""Corpora as they are released: the Penn Treebank, BLLIP, CCGbank, categories with parts of speech."""

import gzip
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gardenpath.commands.app import app
from gardenpath.errors import InputError
from gardenpath.training.corpora.folders import list_supertags, list_treebank
from gardenpath.training.corpora.supertag_files import TaggedSentence, read_supertags
from gardenpath.training.corpora.treebank import encode_treebank, read_treebank, read_words, survey
from gardenpath.training.corpora.word_counts import vocabulary_of
from gardenpath.training.specs.parts import VocabularyChoice
from gardenpath.training.specs.sections import parse_sections
from gardenpath.trees.transitions import labels_of
from gardenpath.trees.tree import bracketed

PENN = """
( (S
    (NP-SBJ-1 (NNP {name}) )
    (VP (VBZ {verb})
      (S
        (NP-SBJ (-NONE- *-1) )
        (VP (TO to)
          (VP (VB swim) ))))
    (. .) ))
"""
"""A tree as the Penn Treebank has it, on several lines after an empty one."""
BLLIP = "(S1 (S (NP-SBJ#4 (NNP {name})) (VP (AUX has) (VP (VBN {verb}))) (. .)))\n"
AUTO = r"""ID=wsj_{number}.1 PARSER=GOLD NUMPARSE=1
(<T S[dcl] 0 2> (<T S[dcl] 1 2> (<T NP 0 1> (<L N NNP NNP {name} N>) ) (<T S[dcl]\NP 0 2> (<L (S[dcl]\NP)/NP VBZ VBZ sees (S[dcl]\NP_2)/NP_3>) (<T NP 1 2> (<L NP[nb]/N DT DT a NP[nb]_5/N_5>) (<L N NN NN heron N>) ) ) ) (<L . . . . .>) )
"""  # noqa: E501 - CCGbank's lines are long


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.fixture
def wsj(tmp_path: Path) -> Path:
    for section, number, name in ((0, 1, "Ada"), (2, 1, "Bea"), (2, 2, "Cleo"), (3, 1, "Dora"), (21, 1, "Eve")):
        write(tmp_path / f"wsj/{section:02}/wsj_{section:02}{number:02}.mrg", PENN.format(name=name, verb="learns"))
    write(tmp_path / "wsj/02/wsj_0203.mrg.gz", PENN.format(name="Flo", verb="hopes") * 2)
    write(tmp_path / "wsj/MERGE.LOG", "not a tree (")
    write(tmp_path / "wsj/02/.hidden.mrg", "not a tree (")
    return tmp_path / "wsj"


def first_words(files: object) -> list[str]:
    return [words[0] for words in read_words(files)]  # type: ignore[arg-type]


def test_a_folder_is_read_in_the_order_of_names(wsj: Path) -> None:
    assert first_words(wsj) == ["Ada", "Bea", "Cleo", "Flo", "Flo", "Dora", "Eve"]
    assert bracketed(next(read_treebank(wsj))) == "(S (NP Ada) (VP learns (S (VP to (VP swim)))) .)"
    assert survey(wsj).words.sentences == 7


@pytest.mark.parametrize(
    ("sections", "names"),
    [
        ("2-3", ["Bea", "Cleo", "Flo", "Flo", "Dora"]),
        ("21,0", ["Ada", "Eve"]),
        ("3", ["Dora"]),
        ("", ["Ada", "Bea", "Cleo", "Flo", "Flo", "Dora", "Eve"]),
    ],
)
def test_sections(wsj: Path, sections: str, names: list[str]) -> None:
    assert first_words(list_treebank(wsj, sections)) == names


@pytest.mark.parametrize("text", ["2-", "a", "2-21,", "-3", "5-2", "2–21"])
def test_sections_that_are_none(text: str) -> None:
    with pytest.raises(InputError, match="are not understood; write 2-21"):
        parse_sections(text)


def test_missing_sections_and_files(wsj: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"--sections 2-21: .*wsj has no section 4; its numbered folders: 00 02 03 21"):
        list_treebank(wsj, "2-21")
    with pytest.raises(InputError, match=r"wsj_0001.mrg is not a folder; name the folder that has the sections"):
        list_treebank(wsj / "00/wsj_0001.mrg", "2-21")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty has no files that end in .mrg, .*; it has no files; name another"):
        list_treebank(tmp_path / "empty")
    write(tmp_path / "texts/a.txt", "a\n")
    with pytest.raises(InputError, match=r"the endings of its 1 files: .txt"):
        list_treebank(tmp_path / "texts")
    write(wsj / "02/wsj_0201.prd", "(S (NP Bea) runs)")
    with pytest.raises(InputError, match=r"wsj has files of several kinds \(.mrg, .prd\); name the folder of one"):
        list_treebank(wsj)


def test_faults_are_reported_with_file_and_line(wsj: Path) -> None:
    write(wsj / "03/wsj_0302.mrg", PENN.format(name="Gil", verb="learns") + "( (S (NN Gil) )\n")
    with pytest.raises(InputError, match=r"wsj_0302.mrg, line 10, sentence 2: 1 of the brackets .* open at the end"):
        survey(wsj)
    write(wsj / "03/wsj_0302.mrg", "( (S (NP (-NONE- *)) ) )\n( (S (NN Gil) ) )\n")
    assert survey(wsj).left_out == [f"{wsj}/03/wsj_0302.mrg, line 1"]
    write(wsj / "03/wsj_0302.mrg", "( (S (NN Gil) (X)) )\n")
    with pytest.raises(InputError, match=r"wsj_0302.mrg, line 1, sentence 1: there is no word under 'X'"):
        first_words(wsj)


@pytest.mark.parametrize("ending", ["", ".gz"])
def test_bllip(tmp_path: Path, ending: str) -> None:
    for year, folder, name in ((1987, "w7_001", "Ada"), (1987, "w7_002", "Bea"), (1989, "w9_001", "Cleo")):
        trees = "".join(BLLIP.format(name=name, verb=verb) for verb in ("slept", "left"))
        write(tmp_path / f"bllip/{year}/{folder}/{folder}.000{ending}", trees)
        write(tmp_path / f"bllip/{year}/{folder}/{folder}.001{ending}", trees)
    write(tmp_path / "bllip/README.2nd", "about")
    assert first_words(list_treebank(tmp_path / "bllip", "1987")) == ["Ada"] * 4 + ["Bea"] * 4
    assert first_words([tmp_path / "bllip/1989/w9_001", tmp_path / "bllip/1987/w7_002"]) == ["Cleo"] * 4 + ["Bea"] * 4
    assert set(map(bracketed, read_treebank(tmp_path / "bllip/1989"))) == {
        "(S (NP Cleo) (VP has (VP slept)) .)", "(S (NP Cleo) (VP has (VP left)) .)",
    }  # fmt: skip
    assert survey(tmp_path / "bllip").labels.keys() == {"S", "NP", "VP"}


def test_encoding_a_folder_is_encoding_its_trees_in_one_file(wsj: Path, tmp_path: Path) -> None:
    files = list_treebank(wsj, "2")
    text = gzip.decompress(files[2].read_bytes()).decode()
    one = write(tmp_path / "one.mrg", files[0].read_text() + files[1].read_text() + text)
    counts = survey(files)
    assert counts.words.first == survey(one).words.first
    vocabulary, labels = vocabulary_of(counts.words, VocabularyChoice(min_count=1)), labels_of(counts.labels)
    several, single = (encode_treebank(source, vocabulary, labels) for source in (files, one))
    assert several.words.tolist() == single.words.tolist()
    assert several.actions.tolist() == single.actions.tolist()


def run(*arguments: object) -> str:
    result = CliRunner().invoke(app, ["corpus", *map(str, arguments)])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_commands_read_folders(wsj: Path, tmp_path: Path) -> None:
    (found,) = json.loads(run("trees", wsj, "--sections", "2-3", "--text", tmp_path / "text.txt", "--json"))
    assert (found["treebank"], found["sentences"], found["tokens"]) == (str(wsj), 5, 25)
    assert (tmp_path / "text.txt").read_text().splitlines()[0] == "Bea learns to swim ."
    spec = ("--layout", "trees", "--sections", "2-3", "--json")
    table = json.loads(run("stats", wsj, "--held-out", wsj / "21", "--min-count", "1", *spec))
    assert table["training"][0]["tokens"] == 25
    assert table["held_out"][0]["unseen_classes"] == {"UNK-INITC": 1}
    drawn = json.loads(run("sample", wsj, *spec, "--sizes", "5,10", "--held-out", "5", "--out", tmp_path / "out"))
    names = [(file["file"], file["text"]) for file in drawn["files"]]
    assert names[0] == ("wsj-valid.mrg", "wsj-valid.txt")
    assert names[-1] == ("wsj-10-1.mrg", "wsj-10-1.txt")
    for trees, text in names:
        run("trees", tmp_path / "out" / trees, "--text", tmp_path / "again.txt")
        assert (tmp_path / "again.txt").read_bytes() == (tmp_path / "out" / text).read_bytes()
    assert "( (S (NP-SBJ-1 (NNP" in (tmp_path / "out" / "wsj-10-1.mrg").read_text()


def test_samples_of_several_treebanks(wsj: Path, tmp_path: Path) -> None:
    arguments = ("sample", wsj / "02", wsj / "03", "--layout", "trees", "--sizes", "25", "--json")
    first = run(*arguments, "--out", tmp_path / "a")
    assert run(*arguments, "--out", tmp_path / "b") == first
    assert (tmp_path / "a" / "02+03-25-1.mrg").read_bytes() == (tmp_path / "b" / "02+03-25-1.mrg").read_bytes()
    assert first_words(tmp_path / "a" / "02+03-25-1.mrg") == ["Bea", "Cleo", "Flo", "Flo", "Dora"]


HERON = TaggedSentence(("Ada", "sees", "a", "heron", "."), ("N", r"(S[dcl]\NP)/NP", "NP[nb]/N", "N", "."))


def test_ccgbank(tmp_path: Path) -> None:
    for section, name in (("00", "Eve"), ("02", "Ada"), ("03", "Bea")):
        write(tmp_path / f"AUTO/{section}/wsj_{section}01.auto", AUTO.format(name=name, number=f"{section}01"))
    assert next(read_supertags(tmp_path / "AUTO/02")) == HERON
    found = list(read_supertags(list_supertags(tmp_path / "AUTO", "2-3")))
    assert [sentence.words[0] for sentence in found] == ["Ada", "Bea"]
    assert {sentence.tags for sentence in found} == {HERON.tags}


def test_a_sentence_without_a_parse_is_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "a.auto", "ID=1 PARSER=TEST NUMPARSE=0\n" + AUTO.format(name="Ada", number="0002"))
    assert list(read_supertags(path)) == [HERON]


def test_categories_with_parts_of_speech(tmp_path: Path) -> None:
    lines = "Rain|NN|N\nAda|NNP|N sees|VBZ|(S[dcl]\\NP)/NP a|DT|NP[nb]/N heron|NN|N .|.|.\n"
    assert list(read_supertags(write(tmp_path / "tags.stagged", lines))) == [TaggedSentence(("Rain",), ("N",)), HERON]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ID=wsj_0001.1 PARSER=GOLD NUMPARSE=1\n", "ID=a NUMPARSE=1\nID=b NUMPARSE=1\n", "line 1: no derivation"),
        ("heron N>) ) ) )", "heron N>) ) )", r"line 2: a node has more children than its number says, from '\(<L . . "),
        ("(<T NP 1 2>", "(<T NP 1 3>", r"line 2: the bracket at character \d+ closes too early"),
        ("(<T NP 1 2>", "(<T NP 1 1>", r"line 2: a node has more children than its number says, from '\(<L N NN"),
        ("<L N NN NN heron N>", "<L N NN heron N>", r"line 2: '\(<L N NN heron N>\).*' is not understood"),
        (". .>) )\n", ". .>) ) )\n", "line 2: the bracket at character .* closes too early"),
        (". .>) )\n", ". .>)\n", "line 2: 1 brackets are open at the end"),
        (". .>) )\n", ". .>) )\n(<L N NN NN a N>)\n", "line 3: no line such as `ID=… PARSER=GOLD NUMPARSE=1` is above"),
        (". .>) )\n", ". .>) )\nID=wsj_0001.2 PARSER=GOLD NUMPARSE=1\n", "line 3: no derivation follows .* cut off"),
    ],
    ids=range(9),
)  # fmt: skip
def test_malformed_derivations(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = AUTO.format(name="Ada", number="0001")
    assert old in text
    path = write(tmp_path / "a.auto", text.replace(old, new))
    with pytest.raises(InputError, match=rf"a\.auto, ({message})"):
        list(read_supertags(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a|DT|N/N dog|NN|N\nthe|DT|N/N dog|N\n", r"line 2: 'dog\|N' has 1 \|, where the lines before have word\|POS"),
        ("a|DT|N/N dog|NN|N\n\na|DT|N/N dog|NN|\n", r"line 3: 'dog\|NN\|' has no category"),
        ("a|N/N dog|N\nthe|DT|N/N dog|NN|N\n", r"line 2: every word has more than one \|, as in the\|DT\|N/N, unlike"),
    ],
    ids=["mixed", "empty", "changed"],
)  # fmt: skip
def test_malformed_categories(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=rf"a\.txt, {message}"):
        list(read_supertags(write(tmp_path / "a.txt", text)))
