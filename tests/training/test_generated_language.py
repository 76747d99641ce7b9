"""Sentences of a generated language: rules with features, agreement, licensing, spelling."""

from collections.abc import Iterator
from itertools import islice

import pytest

from gardenpath.errors import InputError
from gardenpath.suites.load import load_suites
from gardenpath.text.penn import penn_sentences
from gardenpath.training.corpora.generated.held_out import agreeing_pairs
from gardenpath.training.corpora.generated.language import Language, build_language
from gardenpath.training.corpora.generated.rules import (
    Rule,
    Symbol,
    parse_rule,
    parse_symbol,
    plain_rules,
    productive_rules,
)
from gardenpath.training.corpora.generated.sentences import DrawnSentence, draw_sentences, spell_text, spell_words
from gardenpath.training.corpora.generated.suite_words import suite_texts, vocabulary_of
from gardenpath.training.corpora.generated.word_classes import word_classes
from gardenpath.trees.tree import Tree

NUMBERS = {"n": {"sg": 3.0, "pl": 1.0}}


@pytest.fixture(scope="module")
def language() -> Language:
    texts = suite_texts(load_suites("syntactic-generalization"))
    return build_language(vocabulary_of(texts, word_classes()))


@pytest.fixture(scope="module")
def sentences(language: Language) -> list[DrawnSentence]:
    return list(islice(draw_sentences(language, 3), 2000))


def subtrees(tree: Tree) -> Iterator[Tree]:
    yield tree
    for child in tree.children:
        if isinstance(child, Tree):
            yield from subtrees(child)


def test_a_variable_of_the_parent_takes_every_value() -> None:
    rules = list(plain_rules(parse_rule("S", "2 NP[n] VP[n]"), NUMBERS))
    assert [" ".join(map(str, rule.children)) for rule in rules] == ["NP[sg] VP[sg]", "NP[pl] VP[pl]"]
    assert [rule.weight for rule in rules] == [1.5, 0.5]  # only the children have n: 3 to 1
    both = list(plain_rules(parse_rule("NP[n]", "2 Det Noun[n]"), NUMBERS))
    assert [(str(rule.parent), rule.weight) for rule in both] == [("NP[sg]", 2.0), ("NP[pl]", 2.0)]


def test_rules_without_words_are_left_out() -> None:
    rules = [parse_rule("S", "1 NP VP"), parse_rule("S", "1 NP Adverb VP"), parse_rule("NP", "1 Noun")]
    rules += [parse_rule("VP", "1 Verb"), parse_rule("VP", "1 Verb Clause"), parse_rule("Clause", "1 Clause Verb")]
    kept = productive_rules(rules, {"Noun", "Verb"})
    assert [str(rule.parent) for rule in kept] == ["S", "NP", "VP"]


@pytest.mark.parametrize("text", ["NP", "0 NP", "-1 NP", "3", "2 NP[sg"])
def test_what_is_no_rule(text: str) -> None:
    with pytest.raises(InputError, match="is not a"):
        parse_rule("S", text)


def test_labels() -> None:
    assert [parse_symbol(text).label for text in ("NP.object[sg]", "_Base", "S.root")] == ["NP", "", "S"]
    assert Rule(Symbol("NP", ("n",)), (), 1).parent.bind({"n": "pl"}) == parse_symbol("NP[pl]")


def test_words_of_no_language() -> None:
    with pytest.raises(InputError, match="make no sentence: nouns and verbs are needed"):
        build_language(["blorfed"])


def test_same_seed_same_sentences(language: Language) -> None:
    first, again, other = (list(islice(draw_sentences(language, seed), 50)) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_tokenizer_finds_the_leaves(sentences: list[DrawnSentence]) -> None:
    words = penn_sentences([sentence.text for sentence in sentences])
    assert words == [sentence.tree.words() for sentence in sentences]
    assert words == [list(sentence.words) for sentence in sentences]
    assert all(len(sentence.words) == len(sentence.categories) for sentence in sentences)
    assert all(text[0].isupper() and text.endswith(".") for text in (sentence.text for sentence in sentences))


def test_spelling() -> None:
    words = spell_words(["a", "pilot", "saw", "a", "old", "child", "'s", "toy", ",", "I", "think", "."])
    assert spell_text(words) == "A pilot saw an old child's toy, I think."


def test_subjects_and_verbs_agree(language: Language, sentences: list[DrawnSentence]) -> None:
    numbers: dict[str, dict[str, set[str]]] = {"Noun": {}, "V": {}}
    for name, preterminal in language.preterminals.items():
        symbol = parse_symbol(name)
        kind = symbol.name if symbol.name in numbers else "V" if symbol.features[:1] in {("sg",), ("pl",)} else ""
        for word in preterminal.words if kind else ():
            numbers[kind].setdefault(word.lower(), set()).add(symbol.features[0])
    numbers["Noun"] |= {word: {"sg"} for word in language.words_of("Indefinite")}
    pairs = [pair for sentence in sentences for pair in agreeing_pairs(sentence.tree)]
    assert len(pairs) > 500
    assert all(numbers["Noun"][noun] & numbers["V"][verb] for noun, verb in pairs)


def test_verbs_agree_across_clauses_and_more_often_without(sentences: list[DrawnSentence]) -> None:
    subjects = [
        next(child for child in part.children if isinstance(child, Tree) and child.label == "NP")
        for sentence in sentences
        for part in subtrees(sentence.tree)
        if part.label == "S" and {"NP", "VP"} <= {child.label for child in part.children if isinstance(child, Tree)}
    ]
    across = sum(any(part.label == "SBAR" for part in subtrees(subject)) for subject in subjects)
    assert 0.1 < across / len(subjects) < 0.33


def test_reflexives_agree_with_their_subjects(sentences: list[DrawnSentence]) -> None:
    plural = {"NNS": True, "NN": False}
    found = 0
    for part in (part for sentence in sentences for part in subtrees(sentence.tree) if part.label == "S"):
        children = [child for child in part.children if isinstance(child, Tree)]
        if [child.label for child in children[:2]] != ["NP", "VP"]:
            continue
        subject, predicate = children[:2]
        reflexive = str(predicate.children[-1].words()[0]) if isinstance(predicate.children[-1], Tree) else ""
        tags = [child.label for child in subject.children if isinstance(child, Tree)]
        if reflexive.endswith(("self", "selves")) and tags[-1] in plural:
            found += 1
            assert (reflexive == "themselves") == plural[tags[-1]]
    assert found > 30


def test_any_is_licensed(sentences: list[DrawnSentence]) -> None:
    found = 0
    for words in ([word.lower() for word in sentence.words] for sentence in sentences):
        if "any" in words:
            found += 1
            assert {"no", "few"} & set(words[: words.index("any")])
    assert found > 20


def test_categories(language: Language) -> None:
    assert language.preterminals["Vt[pl]"].category == "(S\\NP[pl])/NP"
    assert language.preterminals["Vi[sg]"].category == "S\\NP[sg]"
    assert language.preterminals["Vt[past]"].category == "(S\\NP)/NP"
    assert language.preterminals["Noun[pl,f]"].category == "N[pl]"
    assert language.preterminals["RelSubject[sg,t]"].category == "(NP[sg]\\NP[sg])/(S\\NP[sg])"
