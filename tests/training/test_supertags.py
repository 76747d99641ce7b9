"""Supertags: what a file of them says, and what is wrong with it."""

from pathlib import Path

import pytest

from gardenpath.errors import InputError
from gardenpath.text.vocabulary import Vocabulary
from gardenpath.training.corpora.supertag_files import TaggedSentence, read_supertags
from gardenpath.training.corpora.supertags import check_tags, encode_supertags, list_tags, read_tags, write_tags
from gardenpath.training.tasks.cross_entropy import LEFT_OUT

LINES = "The|N-b{N-aD} dogs|N-aD bark|V-aN .|.\n\nDogs|N bark|V-aN\n"
VOCABULARY = Vocabulary(("<s>", "</s>", "UNK", "UNK-INITC-KNOWNLC-s", "The", "dogs", "bark", ".", "(", "|"), "classes")


def written(folder: Path, text: str) -> Path:
    path = folder / "tags.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_words_and_categories(tmp_path: Path) -> None:
    assert list(read_supertags(written(tmp_path, LINES))) == [
        TaggedSentence(("The", "dogs", "bark", "."), ("N-b{N-aD}", "N-aD", "V-aN", ".")),
        TaggedSentence(("Dogs", "bark"), ("N", "V-aN")),
    ]


def test_a_word_ends_at_its_last_bar(tmp_path: Path) -> None:
    path = written(tmp_path, "a|b|N -PIPE-|A-aN emb-PIPE-1|N-aD ||X .|.")
    assert list(read_supertags(path)) == [
        TaggedSentence(("a|b", "|", "emb|1", "|", "."), ("N", "A-aN", "N-aD", "X", "."))
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "tags.txt holds no sentence; name a file with lines like `the|N"),
        (" \n\n", "holds no sentence"),
        ("the|D dog|N\n\na|D dog\n", "line 3: 'dog' has no |; write every word as word|CATEGORY"),
        ("the|D dog|", "line 1: 'dog|' has no category"),
        ("the|D |N", "line 1: '|N' has no word"),
        ("a|D\nthe|D dog|N\nthe|DT|N/N dog|NN|N", "line 3: every word has more than one |, as in the|DT|N/N, unlike"),
    ],
)
def test_faults_are_told_by_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        list(read_supertags(written(tmp_path, text)))
    assert message in str(error.value)


def test_other_encodings_and_absent_files(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"the|D dog|N\ncaf\xe9|N is|V\n")
    with pytest.raises(InputError, match=r"latin.txt, line 2: the byte 0xe9 is not UTF-8"):
        list(read_supertags(tmp_path / "latin.txt"))
    with pytest.raises(InputError, match="there is no such file"):
        list(read_supertags(tmp_path / "absent.txt"))


def test_categories_are_numbered_by_falling_count(tmp_path: Path) -> None:
    assert list_tags(written(tmp_path, LINES)) == ("V-aN", ".", "N", "N-aD", "N-b{N-aD}")


def test_numbers_of_words_and_categories(tmp_path: Path) -> None:
    found = encode_supertags(written(tmp_path, LINES), VOCABULARY, ("V-aN", "N-aD", "."))
    #                           The dogs bark  .        Dogs bark
    assert found.ids.tolist() == [4, 5, 6, 7, 1, 3, 6, 1]
    assert found.tags.tolist() == [LEFT_OUT, 1, 0, 2, LEFT_OUT, LEFT_OUT, 0, LEFT_OUT]
    assert (found.sentences, found.words, found.unknown, found.unseen) == (2, 6, 1, 2)


def test_brackets_of_treebanks_are_those_of_texts(tmp_path: Path) -> None:
    path = written(tmp_path, "-LRB-|A -PIPE-|B")
    assert encode_supertags(path, VOCABULARY, ("A", "B")).ids.tolist() == [8, 9, 1]
    penn = Vocabulary(("<s>", "</s>", "UNK", "-LRB-", "("), "classes")
    assert encode_supertags(path, penn, ("A", "B")).ids.tolist() == [3, 2, 1]


def test_a_vocabulary_of_lower_case(tmp_path: Path) -> None:
    lower = Vocabulary(("<s>", "</s>", "<unk>", "the", "dogs", "bark"), "single", lower=True)
    assert encode_supertags(written(tmp_path, LINES), lower, ("V-aN",)).ids.tolist() == [3, 4, 5, 2, 1, 4, 5, 1]


def test_no_word_in_common_is_fine_but_no_category_is_not(tmp_path: Path) -> None:
    path = written(tmp_path, "Ein|D Hund|N")
    found = encode_supertags(path, VOCABULARY, ("D", "N"))
    assert (found.ids.tolist(), found.unknown) == ([2, 2, 1], 2)
    with pytest.raises(InputError, match="none of its 2 categories occurs in training, as 'D'"):
        encode_supertags(path, VOCABULARY, ("NP/N", "N/N"))


def test_a_file_of_another_grammar_is_told_without_a_vocabulary(tmp_path: Path) -> None:
    (tmp_path / "tags.txt").write_text("the|D dog|N\nthe|D cat|X\n", encoding="utf-8")
    check_tags(tmp_path / "tags.txt", ("N",))
    with pytest.raises(InputError, match=r"tags.txt: none of its 4 categories occurs in training, as 'D'"):
        check_tags(tmp_path / "tags.txt", ("NP/N", "NP"))


def test_categories_of_a_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="learned no categories"):
        read_tags(tmp_path)
    write_tags(tmp_path, ("N", "S\\NP", "é"))
    assert read_tags(tmp_path) == ("N", "S\\NP", "é")
    (tmp_path / "supertags.json").write_text("[]", encoding="utf-8")
    with pytest.raises(InputError, match="is damaged"):
        read_tags(tmp_path)
