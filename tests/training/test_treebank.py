"""Trees from brackets, and what normalising leaves of them."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.text.vocabulary import Vocabulary
from gardenpath.training.corpora.treebank import encode_treebank, read_treebank, survey
from gardenpath.training.corpora.word_counts import vocabulary_of
from gardenpath.training.specs.parts import VocabularyChoice
from gardenpath.trees.brackets import parse_tree, read_placed_trees, write_trees
from gardenpath.trees.normalise import TreeOptions, category, normalise, split_joined
from gardenpath.trees.transitions import labels_of
from gardenpath.trees.tree import DEEPEST, Tree, bracketed
from small_trees import a_tree, read_trees

PENN = """( (S
    (NP-SBJ-1 (PRP They) )
    (VP (VBD wanted)
      (S (NP-SBJ (-NONE- *PRO*-1) )
        (VP (TO to) (VP (VB leave)))))
    (. .) ))
(ROOT (INTJ (UH Yes)))
"""


@pytest.fixture
def penn(tmp_path: Path) -> Path:
    path = tmp_path / "penn.mrg"
    path.write_text(PENN)
    return path


def one(text: str, options: TreeOptions | None = None) -> str | None:
    """A tree in brackets, normalised."""
    tree = normalise(parse_tree(text), options)
    return None if tree is None else bracketed(tree)


def test_trees_on_several_lines(penn: Path) -> None:
    first, second = read_placed_trees(penn)
    assert (first.line, first.sentence, second.line, second.sentence) == (1, 1, 7, 2)
    assert first.tree.words() == ["They", "wanted", "*PRO*-1", "to", "leave", "."]
    assert second.tree == Tree("ROOT", (Tree("INTJ", (Tree("UH", ("Yes",)),)),))


def test_lines_do_not_matter(tmp_path: Path) -> None:
    for number, text in enumerate(
        ("(S (NP (NN Rain)) (VP (VBZ falls)))", "( S\n\t(NP\n  (NN\n Rain ) )\n (VP(VBZ falls)))")
    ):
        path = tmp_path / f"{number}.mrg"
        path.write_text(text)
        assert [bracketed(tree) for tree in read_trees(path)] == ["(S (NP (NN Rain)) (VP (VBZ falls)))"]


@given(st.lists(a_tree(), min_size=1, max_size=5))
def test_what_is_written_is_read(trees: list[Tree]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trees.mrg"
        assert write_trees(path, trees) == len(trees)
        assert read_trees(path) == trees


def test_brackets_in_words_are_written_as_penn_writes_them(tmp_path: Path) -> None:
    tree = Tree("PRN", ("(", "or", ":)"))
    write_trees(tmp_path / "trees.mrg", [tree])
    assert (tmp_path / "trees.mrg").read_text() == "(PRN -LRB- or :-RRB-)\n"


GOOD = "(S (NN Rain))\n"


@pytest.mark.parametrize(
    ("text", "line", "sentence", "fault"),
    [
        (GOOD + "(S (NN Rain)\n", 2, 2, "1 of the brackets opened from line 2 on are open at the end"),
        (GOOD + "(S (NN Rain)\n" + GOOD, 3, 2, "opened from line 2 on are open where another tree begins"),
        (GOOD + "(S (NN Rain)))\n", 2, 3, "never opened"),
        (GOOD + "\n(S (NP) (VB rains))\n", 3, 2, "no word under 'NP'"),
        (GOOD + "(S\n (NN Rain)\n (NP))\n", 4, 2, "no word under 'NP'"),
        ("(S)\n", 1, 1, "no word under 'S'"),
        ("(S ())\n", 1, 1, "nothing in them"),
        (GOOD + "Rain\n", 2, 2, "'Rain' is outside"),
        ("( (NN Rain) falls)\n", 1, 1, "around the word 'falls' has no label"),
        ("(A " * (DEEPEST + 2) + "b" + ")" * (DEEPEST + 2), 1, 1, "more than 200 brackets"),
    ],
)
def test_faults_are_told_by_line_and_sentence(tmp_path: Path, text: str, line: int, sentence: int, fault: str) -> None:
    path = tmp_path / "trees.mrg"
    path.write_text(text)
    with pytest.raises(InputError, match=f"trees.mrg, line {line}, sentence {sentence}: .*{fault}"):
        read_trees(path)


def test_files_that_are_no_treebanks(tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg"
    with pytest.raises(InputError, match="no such file"):
        read_trees(path)
    path.write_text("\n \n")
    with pytest.raises(InputError, match="holds no tree"):
        read_trees(path)
    path.write_bytes(GOOD.encode() + b"(S (NN \xff))\n")
    with pytest.raises(InputError, match="line 2: the byte 0xff is not UTF-8"):
        read_trees(path)
    path.write_text("( (CODE <TURN>))\n")
    with pytest.raises(InputError, match="none of its trees holds a word"):
        list(read_treebank(path))


def test_categories() -> None:
    labels = {
        "NP-SBJ-1": "NP", "NP=2": "NP", "S-TTL-3-FRM": "S", "ADVP|PRT": "ADVP", "NNS-4": "NNS", "NP": "NP",
        "-LRB-": "-LRB-", "-NONE-": "-NONE-", "PRP$": "PRP$", "``": "``", ":": ":", "": "",
    }  # fmt: skip
    assert {label: category(label) for label in labels} == labels


def test_a_sentence_of_the_penn_treebank(penn: Path) -> None:
    assert [bracketed(tree) for tree in read_treebank(penn)] == [
        "(S (NP They) (VP wanted (S (VP to (VP leave)))) .)",
        "(INTJ Yes)",
    ]
    assert [bracketed(tree) for tree in read_treebank(penn, TreeOptions(tags="keep"))] == [
        "(S (NP (PRP They)) (VP (VBD wanted) (S (VP (TO to) (VP (VB leave))))) (. .))",
        "(INTJ (UH Yes))",
    ]


def test_traces_go_with_the_phrases_that_hold_nothing_else() -> None:
    assert one("(S (NP (NP (-NONE- *)) (SBAR (-NONE- 0) (S (-NONE- *ICH*)))) (VP (VB go)))") == "(S (VP go))"
    assert one("( (CODE <TURN>))") is None
    assert one("( (CODE <p>))", TreeOptions(no_words=())) == "(ROOT <p>)"


def test_wrappers_go_but_for_sentences_that_are_not_one_phrase() -> None:
    for wrapper in ("", "ROOT", "TOP", "S1"):
        assert one(f"({wrapper} (S (NN Rain)))") == "(S Rain)"
        assert one(f"({wrapper} (NN Rain))") == "(ROOT Rain)"
        assert one(f"({wrapper} (NN Rain))", TreeOptions(tags="keep")) == "(ROOT (NN Rain))"
        assert one(f"({wrapper} (S (NN Rain)) (. .))") == "(ROOT (S Rain) .)"
    assert one("(S ( (NP (NN Rain)) (VP (VBZ falls))) (. .))") == "(S (NP Rain) (VP falls) .)"


def test_unary_chains() -> None:
    text = "(S (NP-SBJ (NP (NN rain)) (S (-NONE- *EXP*))) (VP-1 (S (VP (VB fall)))))"
    assert one(text) == "(S (NP rain) (VP (S (VP fall))))"
    assert one(text, TreeOptions(unary="keep")) == "(S (NP (NP rain)) (VP (S (VP fall))))"
    assert one(text, TreeOptions(unary="join")) == "(S (NP+NP rain) (VP+S+VP fall))"
    joined, kept = (normalise(parse_tree(text), TreeOptions(unary=unary)) for unary in ("join", "keep"))
    assert joined is not None
    assert split_joined(joined) == kept
    assert one("(S (NP (NP (NN rain))))", TreeOptions(tags="keep", unary="join")) == "(S+NP+NP (NN rain))"


def test_functions_can_be_kept() -> None:
    options = TreeOptions(functions="keep")
    assert one("(S (NP-SBJ (NN Rain)) (VP (VBZ falls)))", options) == "(S (NP-SBJ Rain) (VP falls))"


def test_words_are_spelled_as_in_texts() -> None:
    tree = parse_tree("(NP (-LRB- -LRB-) (CD 1\\/2) (NN \\*) (NN [) (-RRB- -RSB-))")
    plain, penn = normalise(tree), normalise(tree, TreeOptions(spelling="penn"))
    assert plain is not None
    assert penn is not None
    assert plain.words() == ["(", "1/2", "*", "[", "]"]
    assert penn.words() == ["-LRB-", "1\\/2", "\\*", "[", "-RSB-"]


def test_trees_without_tags_must_be_said_to_have_none(tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg"
    path.write_text(GOOD + "(S (NP the rain) (VP falls))\n")
    with pytest.raises(InputError, match="line 2, sentence 2: the word 'the' has no part of speech"):
        list(read_treebank(path))
    assert one("(S (NP the rain) (VP falls))", TreeOptions(tags="absent")) == "(S (NP the rain) (VP falls))"


def test_traces_go_where_words_have_no_tags() -> None:
    assert one("(S (NP (-NONE- *)) (VP to (VP go)))", TreeOptions(tags="absent")) == "(S (VP to (VP go)))"
    assert one("(S (SU he) (VP goes))", TreeOptions(tags="absent")) == "(S (SU he) (VP goes))"


@given(a_tree())
def test_normalising_twice_is_normalising_once(tree: Tree) -> None:
    options = TreeOptions(tags="absent")
    once = normalise(tree, options)
    assert once is not None
    assert normalise(once, options) == once
    assert once.words() == tree.words()


def test_survey(penn: Path) -> None:
    with penn.open("a") as file:
        file.write("( (CODE <TURN>))\n")
    found = survey(penn)
    assert (found.words.sentences, found.words.tokens, found.left_out) == (2, 6, [8])
    assert found.labels == {"S": 2, "NP": 1, "VP": 3, "INTJ": 1}
    assert found.depths == {5: 1, 1: 1}  # S VP S VP VP
    assert found.mean_depth == 3
    assert found.lengths == {5: 1, 1: 1}


def test_words_and_actions_as_numbers(penn: Path) -> None:
    found = survey(penn)
    vocabulary = vocabulary_of(found.words, VocabularyChoice(min_count=1))
    labels = labels_of(found.labels)
    assert labels.names == ("VP", "S", "INTJ", "NP")
    corpus = encode_treebank(penn, vocabulary, labels)
    words, actions = corpus.sentence(0)
    assert [vocabulary.words[word] for word in words] == ["They", "wanted", "to", "leave", "."]
    assert actions.tolist() == [3, 5, 1, 0, 2, 1, 3, 2, 1, 2, 1, 0, 0, 0, 0, 1, 0]
    words, actions = corpus.sentence(1)
    assert [vocabulary.words[word] for word in words] == ["Yes"]
    assert actions.tolist() == [4, 1, 0]
    assert len(corpus) == 2
    assert (corpus.words.dtype, corpus.actions.dtype, corpus.word_starts.tolist()) == (np.int32, np.int32, [0, 5, 6])


def test_a_label_the_model_does_not_know(penn: Path) -> None:
    vocabulary = Vocabulary(("<s>", "</s>", "UNK"), "classes")
    with pytest.raises(InputError, match=r"penn.mrg, line 7, sentence 2: the label 'INTJ' is not one of the model's 3"):
        encode_treebank(penn, vocabulary, labels_of({"S": 1, "VP": 1, "NP": 1}))


def test_markers_are_no_words(tmp_path: Path) -> None:
    path = tmp_path / "trees.mrg"
    path.write_text("(S (NN </s>))\n")
    with pytest.raises(InputError, match="line 1, sentence 1: a word is"):
        survey(path)
