"""Generated corpora: the files, the words of suites, sentences and pairs that never occur."""

import json
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gardenpath.commands.app import app
from gardenpath.errors import InputError
from gardenpath.suites.load import load_suites
from gardenpath.suites.suite import Suite
from gardenpath.training.corpora.generated.corpus import GeneratedCorpus, generate_corpus
from gardenpath.training.corpora.generated.held_out import agreeing_pairs, is_held_out
from gardenpath.training.corpora.generated.suite_words import measure_coverage, vocabulary_of
from gardenpath.training.corpora.supertags import read_supertags
from gardenpath.training.specs.generated import GeneratedCorpusSpec
from small_trees import read_trees

DESIGNS = "syntactic-generalization"
TINY = tuple(f"{DESIGNS}/{name}" for name in ("number_src", "reflexive_src_masc", "npi_src_any", "center_embed"))


def generate(folder: Path, **fields: object) -> GeneratedCorpus:
    given = {"words": "3k", "suites": TINY, "out": folder / "c.mrg", "text": folder / "c.txt", **fields}
    return generate_corpus(GeneratedCorpusSpec.from_fields(given))


def pairs_file(folder: Path, *pairs: tuple[str, str]) -> str:
    path = folder / "pairs.tsv"
    path.write_text("good\tbad\n" + "".join(f"{good}\t{bad}\n" for good, bad in pairs))
    return str(path)


def test_files_hold_the_same_sentences(tmp_path: Path) -> None:
    made = generate(tmp_path, supertags=tmp_path / "c.tags")
    trees = [tree.words() for tree in read_trees(tmp_path / "c.mrg")]
    assert trees == [list(sentence.words) for sentence in read_supertags(tmp_path / "c.tags")]
    assert len(trees) == len((tmp_path / "c.txt").read_text().splitlines()) == made.sentences
    assert 3000 <= made.words == sum(map(len, trees)) < 3000 + len(max(trees, key=len))


def test_a_smaller_corpus_begins_a_larger_one(tmp_path: Path) -> None:
    for name, words in (("a", "1k"), ("b", "2k"), ("again", "2k")):
        (tmp_path / name).mkdir()
        generate(tmp_path / name, words=words)
    small, large, again = ((tmp_path / name / "c.mrg").read_bytes() for name in ("a", "b", "again"))
    assert large == again
    assert large.startswith(small)
    assert len(small) < len(large)


@pytest.mark.parametrize(
    ("suites", "words", "share"), [(TINY, "20k", 0.95), (("reflexives",), "10k", 0.95)], ids=["tiny", "reflexives"]
)
def test_suites_are_known(tmp_path: Path, suites: tuple[str, ...], words: str, share: float) -> None:
    coverage = generate(tmp_path, suites=suites, words=words).coverage
    assert coverage.token_share >= share
    assert coverage.type_share >= share


@pytest.mark.slow
@pytest.mark.parametrize("suite", ["marvin-linzen", DESIGNS])
def test_collections_are_known(tmp_path: Path, suite: str) -> None:
    coverage = generate(tmp_path, suites=(suite,), words="100k").coverage
    assert coverage.token_share >= 0.95
    assert coverage.type_share >= 0.95


def test_no_sentence_of_a_suite(tmp_path: Path) -> None:
    pairs = [("The dog sleeps.", "The dog sleep."), ("The dogs sleep.", "The dogs sleeps.")]
    made = generate(tmp_path, suites=(pairs_file(tmp_path, *pairs),), words="200")
    lines = (tmp_path / "c.txt").read_text().splitlines()
    assert made.dropped > 0
    assert "The dog sleeps." not in lines
    assert "Dogs sleep." in lines


@pytest.mark.parametrize("suite", TINY)
def test_no_sentence_of_our_suites(tmp_path: Path, suite: str) -> None:
    generate(tmp_path, suites=(suite,), words="5k")
    lines = set((tmp_path / "c.txt").read_text().splitlines())
    assert not lines & {sentence.text for one in load_suites(suite) for _, sentence in one.trials()}


def test_words_without_a_class_are_listed(tmp_path: Path) -> None:
    pairs = [("The dogs sleep near a blorf.", "The dog sleeps near the cat.")]
    made = generate(tmp_path, suites=(pairs_file(tmp_path, *pairs),), words="500")
    assert made.unclassified == ("blorf",)
    assert made.coverage.missing == ("blorf",)


def test_pairs_held_out_never_occur(tmp_path: Path) -> None:
    made = generate(tmp_path, held_out_pairs=0.3, seed=5, words="10k", pairs=tmp_path / "held.tsv")
    pairs = {pair for tree in read_trees(tmp_path / "c.mrg") for pair in agreeing_pairs(tree)}
    assert len(pairs) > 200
    assert not any(is_held_out(noun, verb, share=0.3, seed=5) for noun, verb in pairs)
    assert made.dropped > 0
    (suite,) = load_suites(tmp_path / "held.tsv")
    for item in suite.items[:100]:
        _, noun, verb, *_ = item.sentences["good"].text.split()
        assert (noun, verb) not in pairs
        assert is_held_out(noun, verb, share=0.3, seed=5)


def test_the_share_held_out() -> None:
    pairs = [(f"noun{index}", f"verb{index % 7}") for index in range(5000)]
    held = sum(is_held_out(noun, verb, share=0.2, seed=1) for noun, verb in pairs)
    assert 0.17 < held / len(pairs) < 0.23
    assert not any(is_held_out(noun, verb, share=0, seed=1) for noun, verb in pairs)


def test_pairs_of_trees(tmp_path: Path) -> None:
    path = tmp_path / "t.mrg"
    clause = "(SBAR (WHNP (WDT that)) (S (VP (VBZ sees) (NP (DT the) (NNS cats)))))"
    path.write_text(f"(S (NP (NP (DT The) (NN dog)) {clause}) (VP (VP (VBZ runs)) (CC and) (VP (VBZ eats))) (. .))\n")
    conjuncts = "(NP (DT the) (NN dog)) (CC and) (NP (DT the) (NN cat))"
    with path.open("a") as file:
        file.write(f"(S (NP {conjuncts}) (VP (VBP run)) (. .))\n")
    tree, coordinated = read_trees(path)
    assert not list(agreeing_pairs(coordinated))  # the verb has the number of neither
    assert sorted(agreeing_pairs(tree)) == [("dog", "eats"), ("dog", "runs"), ("dog", "sees")]


def test_coverage_by_hand() -> None:
    suite = Suite.from_pairs([("The dog's toy fell.", "The dog fell.")])
    coverage = measure_coverage([suite], Counter({"The": 5, "dog": 2, "'s": 1, ".": 9}), least=2)
    assert (coverage.tokens, coverage.types) == (10, 6)  # The dog 's toy fell . The dog fell .
    assert coverage.missing == ("fell", "'s", "toy")
    assert (coverage.known_tokens, coverage.known_types) == (6, 3)


def test_a_first_word_is_in_lower_case_if_it_is_known_so() -> None:
    assert set(vocabulary_of(["Dogs bark.", "Mary sleeps."], {"dogs"})) == {"dogs", "bark", ".", "Mary", "sleeps"}


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"text": "c.mrg"}, "two of the files to write are the same"),
        ({"pairs": "p.tsv"}, "no pairs are held out to make .*p.tsv of"),
        ({"suites": ("no-such-suite",)}, "unknown suite 'no-such-suite'"),
        ({"held_out_pairs": 0.999}, "hold out fewer pairs"),
    ],
    ids=["same", "pairs", "suite", "all"],
)
def test_what_cannot_be_generated(tmp_path: Path, fields: dict[str, object], message: str) -> None:
    given = {name: tmp_path / value if isinstance(value, str) else value for name, value in fields.items()}
    small = {"suites": (pairs_file(tmp_path, ("The dog sleeps.", "The dog sleep.")),), **given}
    with pytest.raises(InputError, match=message):
        generate(tmp_path, **small)
    assert not (tmp_path / "c.mrg").exists()


def test_command(tmp_path: Path) -> None:
    files = ["--out", str(tmp_path / "c.mrg"), "--text", str(tmp_path / "c.txt")]
    command = ["corpus", "generate", "--words", "1k", "--suite", TINY[0], *files]
    shown = CliRunner().invoke(app, command)
    assert shown.exit_code == 0
    assert "occur in it twice or more" in shown.output
    made = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert made["sentences"] == len((tmp_path / "c.txt").read_text().splitlines())
