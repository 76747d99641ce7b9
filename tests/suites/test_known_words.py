"""Suites filled from a vocabulary: what is known, which words are drawn, what is left out, what stays."""

import json
import re
from pathlib import Path

import pytest

from gardenpath.errors import InputError, InputWarning
from gardenpath.suites.catalog import BUILTIN, find_templates
from gardenpath.suites.formats.region_contents import region_contents
from gardenpath.suites.grammar.lexicon import Lexicon
from gardenpath.suites.grammar.lexicon_file import LANGUAGES_FOLDER, load_lexicon
from gardenpath.suites.known_words.draw_rows import draw_rows
from gardenpath.suites.known_words.fill_known import unknown_words
from gardenpath.suites.known_words.frames import read_frames
from gardenpath.suites.known_words.known_lexicon import restrict_lexicon
from gardenpath.suites.known_words.known_words import KnownWords, read_known_words
from gardenpath.suites.load import load_suite, load_suites
from gardenpath.suites.suite import Suite
from gardenpath.text.vocabulary import Vocabulary

COLLECTION = "syntactic-generalization"
FRAMES = BUILTIN / COLLECTION / "frames"
TABLES = sorted(path.stem for path in (BUILTIN / COLLECTION).glob("*.tsv") if path.stem != "published")
DOCTORS = ["The", "the", "near", "teacher", "teachers", "doctor", "doctors", "wears", "wear", "shirt", "every", "day"]
"""With these words there are two items of number_prep."""


@pytest.fixture(scope="module")
def prose() -> Lexicon:
    """The lexicon of all frames."""
    return load_lexicon(LANGUAGES_FOLDER / "english", "prose")


@pytest.fixture(scope="module")
def large(prose: Lexicon, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A vocabulary with all words of the lexicon, the frames and the designs."""
    texts = [form for entry in prose.entries for form in entry.forms.values()]
    texts += [path.read_text(encoding="utf-8") for path in (BUILTIN / COLLECTION).rglob("*.toml")]
    words = sorted({word for text in texts for word in re.findall(r"[A-Za-z]+|[.,]", text)} | {"'s", "n't"})
    path = tmp_path_factory.mktemp("words") / "large.txt"
    path.write_text("\n".join(words), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def filled(large: Path) -> dict[str, Suite]:
    """The 34 suites, filled from the large vocabulary."""
    return {suite.name: suite for suite in load_suites(COLLECTION, vocabulary=large)}


def write_words(folder: Path, words: list[str]) -> Path:
    """Write a list of words."""
    path = folder / "words.txt"
    path.write_text("\n".join(words), encoding="utf-8")
    return path


def test_a_list_with_and_without_counts(tmp_path: Path) -> None:
    known = read_known_words(write_words(tmp_path, ["The 3", "cat\t2", "", "the"]))
    assert known.counts == {"The": 3, "cat": 2, "the": 1}
    assert not known.lower
    assert known.unknown_in("The cat saw the dog") == ["saw", "dog"]


def test_a_list_without_capitals_is_of_a_model_that_reads_lower_case(tmp_path: Path) -> None:
    known = read_known_words(write_words(tmp_path, ["the", "cat"]))
    assert known.knows("The cat")
    assert not read_known_words(write_words(tmp_path, ["the", "cat", "A"])).knows("The cat")


@pytest.mark.parametrize("named", ["folder", "file"])
def test_the_vocabulary_of_a_model(tmp_path: Path, named: str) -> None:
    vocabulary = Vocabulary(("<s>", "</s>", "<unk>", "The", "cat"), "single")
    file = tmp_path / "vocabulary.json"
    file.write_text(vocabulary.to_json(), encoding="utf-8")
    known = read_known_words(file if named == "file" else tmp_path)
    assert known.counts == {"The": 1, "cat": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("the big cat", "line 1: 'the big cat' is not a word, or a word and its count"),
        ("the cat .\nthe big cat .", "for the words of a running text, name a model trained on it: `gardenpath train"),
        ("the\ncat many", "line 2: the count of a word must be a positive number, not 'many'"),
        ("the -2", "must be a positive number"),
        ("\n\n", "the file is empty"),
    ],
    ids=["three cells", "running text", "no number", "negative", "empty"],
)
def test_lists_that_cannot_be_used(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "words.txt"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(message)):
        read_known_words(path)


def test_a_folder_without_vocabulary(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape("there is no vocabulary.json in this folder")):
        read_known_words(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=r"reads sub-words: it spells every word.* leave out --vocabulary"):
        read_known_words(tmp_path)
    with pytest.raises(InputError, match="there is no such file"):
        read_known_words(tmp_path / "missing.txt")


def test_a_word_that_occurs_a_hundred_times_is_drawn_three_times_as_often() -> None:
    known = KnownWords({"see": 100, "sees": 10, "cat": 1})
    assert known.weight(["see", "sees"]) == 3
    assert known.weight(["cat"]) == 1


def test_only_known_forms_are_left(prose: Lexicon) -> None:
    known = KnownWords(dict.fromkeys(["teacher", "wear", "wore", "worn"], 1.0))
    left = restrict_lexicon(prose, known)
    assert {entry.lemma: set(entry.forms.values()) for entry in left.entries if entry.category in ("noun", "verb")} == {
        "teacher": {"teacher"},  # the plural, an entry of its own, is left out
        "wear": {"wear", "wore", "worn"},
    }
    (wear,) = (entry for entry in left.entries if entry.lemma == "wear")
    assert {"has-past", "has-base"} < wear.features
    assert "has-present.sing" not in wear.features


def test_the_two_items_that_twelve_words_allow(tmp_path: Path) -> None:
    path = write_words(tmp_path, DOCTORS)
    suite = load_suite(f"{COLLECTION}/number_prep", vocabulary=path, sample=2)
    assert {item.sentences["match_sing"].text for item in suite.items} == {
        "The teacher near the doctors wears the shirt every day",
        "The doctor near the teachers wears the shirt every day",
    }
    assert {item.sentences["mismatch_plural"].text for item in suite.items} == {
        "The teachers near the doctor wears the shirt every day",
        "The doctors near the teacher wears the shirt every day",
    }


def test_fewer_items_suffice_with_a_note(tmp_path: Path) -> None:
    path = write_words(tmp_path, DOCTORS)
    with pytest.warns(InputWarning, match="2 instead of 5 items are made of known words"):
        suite = load_suite(f"{COLLECTION}/number_prep", vocabulary=path, sample=5)
    assert len(suite.items) == 2


def test_too_few_items_are_left_out_and_the_note_names_slot_and_words(tmp_path: Path) -> None:
    path = write_words(tmp_path, DOCTORS)
    with pytest.warns(InputWarning) as notes, pytest.raises(InputError, match="no suite can be filled with these 12"):
        load_suites(f"{COLLECTION}/number_prep", f"{COLLECTION}/cleft", vocabulary=path)
    texts = [str(note.message) for note in notes]
    assert any("number_prep: only 2 of 24 items" in text for text in texts)
    (cleft,) = (text for text in texts if "/cleft:" in text)
    assert "none of its items" in cleft
    assert "slot 'when' needs one of last year" in cleft


def test_words_that_the_design_fixes_stay_and_are_reported(large: Path, tmp_path: Path) -> None:
    words = [word for word in large.read_text(encoding="utf-8").split() if word != "himself"]
    with pytest.warns(InputWarning, match="unknown words that the design fixes: 'himself' in .*reflexive_prep_masc"):
        suite = load_suite(f"{COLLECTION}/reflexive_prep_masc", vocabulary=write_words(tmp_path, words))
    assert all(item.sentences["match_sing"].text.endswith(" himself") for item in suite.items)


def test_fewer_items_are_the_first_of_more_and_the_seed_counts(large: Path) -> None:
    name = f"{COLLECTION}/npi_orc_any"
    three, five, other = (
        load_suite(name, vocabulary=large, sample=n, seed=seed).items for n, seed in ((3, 1), (5, 1), (3, 2))
    )
    assert [item.sentences for item in three] == [item.sentences for item in five[:3]]
    assert [item.sentences for item in three] != [item.sentences for item in other]


def test_suites_of_one_table_have_the_same_items(filled: dict[str, Suite]) -> None:
    plain, modified = (filled[f"{COLLECTION}/{name}"] for name in ("center_embed", "center_embed_mod"))
    for item, longer in zip(plain.items, modified.items, strict=True):
        contents, more = (dict(region_contents(one.sentences["plaus"])) for one in (item, longer))
        assert contents == {region: content for region, content in more.items() if region != "modifier"}


def test_the_34_designs_are_filled_as_packaged(filled: dict[str, Suite], large: Path) -> None:
    packaged = {suite.name: suite for suite in load_suites(COLLECTION)}
    assert list(filled) == list(packaged)
    known = read_known_words(large)
    for name, suite in filled.items():
        own = packaged[name]
        assert (suite.conditions, suite.predictions) == (own.conditions, own.predictions), name
        assert len(suite.items) == len(own.items), name
        assert regions_of(suite) == regions_of(own), name
        assert not unknown_words(suite, known), name
        assert {item.sentences[own.conditions[0].name].text for item in suite.items}.isdisjoint(
            item.sentences[own.conditions[0].name].text for item in own.items
        )


def regions_of(suite: Suite) -> set[tuple[str, ...]]:
    """The names of the regions of all sentences."""
    return {
        tuple(region.name for region in sentence.regions)
        for item in suite.items
        for sentence in item.sentences.values()
    }


@pytest.mark.parametrize("table", TABLES)
def test_frames_have_the_columns_of_their_table(table: str) -> None:
    header = (BUILTIN / COLLECTION / f"{table}.tsv").read_text(encoding="utf-8").splitlines()[0].split("\t")
    for frame in read_frames(FRAMES / f"{table}.toml").frames:
        assert sorted(frame.columns) == sorted(set(header) - {"item"})


def test_all_designs_have_frames() -> None:
    assert all(template.frames for template in find_templates(COLLECTION))


def test_ambiguous_participles_are_past_forms_too_and_unambiguous_ones_are_not(prose: Lexicon) -> None:
    verbs = [entry.forms for entry in prose.entries if entry.category == "verb"]
    pasts, participles = ({forms[name] for forms in verbs if name in forms} for name in ("past", "participle"))
    text = (FRAMES / "mvrr.toml").read_text(encoding="utf-8")
    pairs = re.findall(r'"(\w+)/(\w+)"', text)
    assert len(pairs) > 30
    for ambiguous, unambiguous in pairs:
        assert unambiguous not in pasts, unambiguous
        assert unambiguous in participles, unambiguous
        assert ambiguous not in participles or ambiguous in pasts, ambiguous


def test_the_unambiguous_verbs_of_np_z_take_no_object(filled: dict[str, Suite], prose: Lexicon) -> None:
    transitive = {
        entry.forms.get("past")
        for entry in prose.entries
        if entry.category == "verb" and entry.features & {"transitive", "labile"}
    }
    for item in filled[f"{COLLECTION}/npz_ambig"].items:
        contents = dict(region_contents(item.sentences["unambig_comma"]))
        assert contents["Transitive Verb"] not in transitive


@pytest.mark.parametrize("name", ["number_orc", "number_prep", "number_src"])
def test_singular_and_plural_differ(filled: dict[str, Suite], name: str) -> None:
    for item in filled[f"{COLLECTION}/{name}"].items:
        for good, bad in (("match_sing", "mismatch_sing"), ("match_plural", "mismatch_plural")):
            right, wrong = (dict(region_contents(item.sentences[condition])) for condition in (good, bad))
            assert [region for region in right if right[region] != wrong[region]] == ["matrix_v"]


def test_lists_take_substitutes_for_unknown_words(tmp_path: Path) -> None:
    words = [
        "The",
        "the",
        "that",
        "said",
        "himself",
        ".",
        "student",
        "students",
        "partner",
        "partners",
        "writer",
        "writers",
        "saw",
        "helped",
    ]
    with pytest.warns(InputWarning, match="'herself' in"), pytest.warns(InputWarning, match="'themselves' in"):
        suites = load_suites("reflexives/1b-sentential-complement", vocabulary=write_words(tmp_path, words))
    # herself and themselves, unknown, are fixed by the design: their suites stay
    suite = next(suite for suite in suites if suite.name.endswith("himself"))
    assert len(suite.items) == 2  # a noun, two verbs
    assert suite.items[0].sentences["baseline_a"].text == "The student said that the writer saw himself."


def test_a_known_word_of_a_list_comes_before_its_substitutes(tmp_path: Path) -> None:
    words = [
        "the",
        "author",
        "authors",
        "writer",
        "writers",
        "is",
        "are",
        "old",
        "tall",
        "important",
        "laughs",
        "laugh",
    ]
    suite = load_suite("marvin-linzen/simple_agrmt", vocabulary=write_words(tmp_path, words))
    subjects = list(dict.fromkeys(item.fillers["subject"] for item in suite.items))
    assert subjects == ["author", "writer"]
    assert {item.fillers["verb"] for item in suite.items} == {"laughs", "is tall", "is old", "is important"}


def test_drawn_suites_use_known_words_only(large: Path, tmp_path: Path) -> None:
    words = [word for word in large.read_text(encoding="utf-8").split() if not word.startswith(("a", "s"))]
    path = write_words(tmp_path, [*words, "Some", "The"])
    suite = load_suite("blimp/intransitive", vocabulary=path, sample=20)
    assert not unknown_words(suite, read_known_words(path))
    starts = {sentence.text.split()[0] for item in suite.items for sentence in item.sentences.values()}
    assert starts & {"Some", "The"}  # not Every, Most: the vocabulary has them in lower case only
    assert not starts & {"Every", "Most"}


def test_the_vocabulary_is_recorded(tmp_path: Path) -> None:
    path = write_words(tmp_path, DOCTORS)
    metadata = load_suite(f"{COLLECTION}/number_prep", vocabulary=path, sample=2, seed=3).metadata
    assert metadata["vocabulary"].startswith(f"{path} (12 words, ")
    assert metadata["seed"] == "3"


def test_rows_are_drawn_from_the_seed_alone(tmp_path: Path) -> None:
    first, second = (KnownWords(dict.fromkeys(DOCTORS, 1.0)) for _ in range(2))
    path = FRAMES / "number_prep.toml"
    assert draw_rows(path, first, n=2, seed=0).rows == draw_rows(path, second, n=2, seed=0).rows


def test_a_frame_with_other_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "frames.toml").write_text(
        'language = "english"\n[frames.a.columns]\nnoun = "cat"\n[frames.b.columns]\nverb = "purrs"\n', encoding="utf-8"
    )
    with pytest.raises(InputError, match="the frame 'b' has the columns 'verb', not 'noun'"):
        read_frames(tmp_path / "frames.toml")


def test_the_command_writes_items_of_known_words(tmp_path: Path) -> None:
    from gardenpath.suites.export import export_suites

    path = write_words(tmp_path, DOCTORS)
    (file,) = export_suites(
        f"{COLLECTION}/number_prep", tmp_path / "out.json", format="syntaxgym", sample=2, vocabulary=path
    )
    content = json.loads(file.read_text(encoding="utf-8"))
    assert len(content["items"]) == 2
