"""Distractors of a Maze: read, drawn, aligned over conditions, checked with a model."""

import random
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from gardenpath.errors import InputError, InputWarning
from gardenpath.human.distractor_slots import align_conditions, draw_candidates, dress, split_affixes
from gardenpath.human.distractor_words import english_vocabulary
from gardenpath.human.distractors import LEAST_MARGIN, add_distractors
from gardenpath.human.study import Stimulus
from gardenpath.suites.suite import Sentence
from small_models import WordModel

PAIR = {
    "good": "The old keys to the cabinet are lost, Mary said.",
    "bad": "The old keys to the cabinet is lost, Mary said.",
}


def stimulus(item: str = "1", role: str = "test", **texts: str) -> Stimulus:
    sentences = {condition: Sentence(text) for condition, text in (texts or PAIR).items()}
    return Stimulus(f"s{item}", role, "keys", item, "keys", sentences)


def drawn(*stimuli: Stimulus, seed: int = 0, model: object = None) -> dict[str, Stimulus]:
    return add_distractors({one.id: one for one in stimuli}, table=None, seed=seed, model=model)  # type: ignore[arg-type]


def test_every_word_after_the_first_has_one_that_looks_alike() -> None:
    (found,) = drawn(stimulus()).values()
    words, distractors = PAIR["good"].split()[1:], found.distractors["good"]
    assert len(distractors) == len(words)
    for word, distractor in zip(words, distractors, strict=True):
        assert abs(len(word) - len(distractor)) <= 1
        assert word[0].isupper() == distractor[0].isupper()
        assert word[-1] in ",." or distractor.isalpha()
    assert (distractors[6][-1], distractors[8][-1]) == (",", ".")


def test_frequent_words_get_frequent_distractors() -> None:
    vocabulary = english_vocabulary()
    frequent, rare = (
        [vocabulary.frequencies.of(word) for word in vocabulary.draw(5, bits, count=12, avoid=(), rng=random.Random(0))]
        for bits in (10.0, 20.0)
    )
    assert max(frequent) < min(rare)


def test_conditions_differ_where_their_words_do_and_nothing_is_repeated() -> None:
    texts = {
        "plain": "The dog that Mary saw barks today.",
        "long": "The dog that the old woman saw barks today.",
        "plural": "The dogs that the old woman saw bark today.",
    }
    (found,) = drawn(stimulus(**texts)).values()
    plain, long, plural = (found.distractors[name] for name in texts)
    assert plain[0] == long[0] == plural[0]  # dog, dog, dogs
    assert plain[1] == long[1]
    assert plain[-3:] == long[-3:] == plural[-3:]
    assert long == plural
    for condition, distractors in found.distractors.items():
        lower = [distractor.lower().strip(".") for distractor in distractors]
        assert len(set(lower)) == len(lower)
        assert not set(lower) & {word.lower().strip(".") for word in texts[condition].split()}
        assert not set(lower) & {"bark", "barked", "barking", "dog", "dogs", "seen"}


def test_the_same_seed_draws_the_same_whatever_else_is_drawn() -> None:
    one, other = stimulus("1"), stimulus("2", good="A cat sleeps.")
    assert drawn(one)["s1"] == drawn(other, one)["s1"] == drawn(one)["s1"]
    assert drawn(one)["s1"] != drawn(one, seed=1)["s1"]


def test_alignment_by_hand() -> None:
    sentences = {"a": ("The", "dog", "is"), "b": ("The", "big", "dog", "are"), "c": ("the", "dogs", "are")}
    assert align_conditions(sentences) == [
        (("a", 0), ("b", 0), ("c", 0)),
        (("a", 1), ("b", 2), ("c", 1)),
        (("a", 2), ("b", 3), ("c", 2)),
        (("b", 1),),
    ]


@pytest.mark.parametrize(
    ("piece", "expected"), [("Dogs,", "Table,"), ("“dogs", "“table"), ("NASA", "TABLE"), ("I", "Table"), ("–", "table")]
)
def test_capitals_and_punctuation(piece: str, expected: str) -> None:
    assert dress("table", piece) == expected
    assert "".join(split_affixes(piece)) == piece


def by_letter(context: tuple[str, ...], word: str) -> float:
    """Words with an e are likely; so is every word of the sentence."""
    return (
        2.0 if "e" in word or word in {*PAIR["good"].lower().split(), "cabinet", "lost", "is", "mary", "said"} else 40.0
    )


def test_a_distractor_is_much_more_surprising_than_the_word() -> None:
    """The model says which candidates fit: those with an e, which length and frequency alone would take, too."""
    model = WordModel(lambda context, word: by_letter(context, word.lower()))
    (unchecked,) = drawn(stimulus()).values()
    (checked,) = drawn(stimulus(), model=model).values()
    assert any("e" in distractor for distractor in unchecked.distractors["good"])
    assert not any("e" in distractor.lower() for distractor in checked.distractors["good"])
    assert checked.distractors["good"] == checked.distractors["bad"]


def test_the_most_surprising_one_is_taken_where_none_is_enough() -> None:
    item = draw_candidates(stimulus(good="The dog barks."), 0)
    chosen = item.slots[1].candidates[5]
    model = WordModel(lambda context, word: 40.0 + (word == chosen))
    message = r"2 of 2 distractors may continue the sentence.*\(8\.0 bits\) for .* beside 'dog' in 'The dog barks\.'"
    with pytest.warns(InputWarning, match=message):
        (found,) = drawn(stimulus(good="The dog barks."), model=model).values()
    assert found.distractors["good"][1] == chosen + "."


@pytest.mark.parametrize(
    ("misfit", "expected"), [(2.5, pytest.warns(InputWarning, match="2 of 2")), (3.5, nullcontext())]
)
def test_a_word_as_likely_as_ever_may_continue_the_sentence(misfit: float, expected: AbstractContextManager) -> None:
    """Beside words without any surprisal, candidates with their usual one pass the first test, not the second."""
    frequencies, sentence = english_vocabulary().frequencies, {"The", "dog", "barks"}
    model = WordModel(lambda _, word: 0.0 if word in sentence else frequencies.of(word) + misfit)
    with expected:
        drawn(stimulus(good="The dog barks."), model=model)


def test_contexts_are_read_once() -> None:
    model = WordModel(lambda context, word: float(len(word) > 0) * (30.0 if len(context) % 2 else 1.0))
    item = stimulus(good="The dog barks.")
    with pytest.warns(InputWarning, match="2 of 2"):
        drawn(item, model=model)
    # The, dog and its 12 candidates, barks and its 12; again the two words, with the 24 that each has in reserve.
    assert (model.scored, model.read) == ((1 + 13 + 13) + (1 + 25 + 25), 2 + 2)


def test_words_in_reserve_are_tried_where_all_candidates_fit() -> None:
    (slot, _) = draw_candidates(stimulus(good="The dog barks."), 0).slots
    model = WordModel(lambda context, word: 40.0 if len(context) == 2 or word in slot.reserve[3:5] else 1.0)
    with pytest.warns(InputWarning, match="1 of 2"):
        (found,) = drawn(stimulus(good="The dog barks."), model=model).values()
    assert found.distractors["good"][0] == slot.reserve[3]


def test_without_the_packages_of_the_model_it_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in [name for name in sys.modules if name.startswith("gardenpath.models.pretrained.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.warns(InputWarning, match=r"without a check whether they fit: .*gardenpath\[models\]"):
        found = drawn(stimulus(), model="smollm2")
    assert found == drawn(stimulus())


def table(folder: Path, *lines: str) -> Path:
    path = folder / "distractors.tsv"
    path.write_text("suite\titem\tcondition\tdistractors\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_table(tmp_path: Path) -> None:
    stimuli = {one.id: one for one in (stimulus(good="The dog barks.", bad="The dog bark."), stimulus("c", "check"))}
    path = table(tmp_path, "keys\t1\tgood\tcat table.", "keys\t1\tbad\tcat chair.")
    found = add_distractors(stimuli, table=path, seed=0, model=None)
    assert found["s1"].distractors == {"good": ("cat", "table."), "bad": ("cat", "chair.")}
    assert len(found["sc"].distractors["good"]) == len(PAIR["good"].split()) - 1


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "keys\t1\tbad\tcat chair. more",
            r"line 3: 3 distractors, but 'The dog bark\.' .* has 2 words after the first",
        ),
        ("keys\t1\tbad\tdog chair.", r"line 3: the distractor of 'dog' is the word itself"),
        ("keys\t2\tbad\tcat chair.", r"no row for suite 'keys', item '1', condition 'bad'"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*rows are about sentences")
def test_errors_of_a_table(tmp_path: Path, line: str, message: str) -> None:
    stimuli = {"s1": stimulus(good="The dog barks.", bad="The dog bark.")}
    with pytest.raises(InputError, match=message):
        add_distractors(stimuli, table=table(tmp_path, "keys\t1\tgood\tcat table.", line), seed=0, model=None)


def test_another_language_needs_a_table() -> None:
    with pytest.raises(InputError, match="no distractors in the language 'de'"):
        add_distractors({"s1": stimulus()}, table=None, seed=0, model=None, language="de")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*distractors may continue")
def test_the_embedded_model_refuses_what_continues_the_sentence() -> None:
    from gardenpath.runs.score import score

    item = stimulus()
    checked = drawn(item, model="smollm2")["s1"].distractors["good"]
    words = PAIR["good"].split()
    texts = [" ".join(words[:index]) for index in range(1, len(words))]
    bits = [
        score("smollm2", [f"{text} {word.strip('.,')}" for text, word in zip(texts, last, strict=True)]).sentences()[
            "bits"
        ]
        for last in (words[1:], checked)
    ]
    assert float((bits[1] - bits[0]).median()) >= LEAST_MARGIN  # type: ignore[arg-type]
