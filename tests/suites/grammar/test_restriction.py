"""Boolean expressions over features, held against a plain evaluation of the same formula."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.errors import InputError
from gardenpath.suites.grammar.lexicon import Lexicon, LexiconView
from gardenpath.suites.grammar.lexicon_file import load_lexicon
from gardenpath.suites.grammar.restriction import parse_restriction, slots_in, words_satisfying
from small_language import MakeLanguage


def lemmas(lexicon: Lexicon, text: str, **bound: str) -> set[str]:
    """The words an expression is true of, with words in slots named by their form as drawn."""
    entries = {entry.forms[entry.form]: entry for entry in lexicon.entries}
    view = LexiconView(lexicon, {slot: entries[word] for slot, word in bound.items()})
    return {entry.forms[entry.form] for entry in lexicon.members(words_satisfying(parse_restriction(text), view))}


def test_features_with_and_or_not(make_language: MakeLanguage) -> None:
    lexicon = load_lexicon(make_language())
    assert lemmas(lexicon, "person & sing") == {"man", "clerk"}
    assert lemmas(lexicon, "noun & !animate & sing | person & plur") == {"box", "hour", "milk", "men", "clerks"}
    assert lemmas(lexicon, "noun & sing & !(person | thing)") == {"dog", "sheep"}


def test_words_in_other_slots(make_language: MakeLanguage) -> None:
    lexicon = load_lexicon(make_language())
    assert lemmas(lexicon, "sing & fits(verb.object)", verb="carry") == {"box", "hour", "milk"}
    assert lemmas(lexicon, "verb & takes(noun as subject)", noun="dog") == {"see", "bark"}
    assert lemmas(lexicon, "verb & takes(noun as object)", noun="dog") == set()
    assert lemmas(lexicon, "determiner & takes(noun)", noun="dogs") == {"the"}
    assert lemmas(lexicon, "determiner & takes(noun)", noun="dog") == {"the", "a(n)"}
    assert lemmas(lexicon, "noun & fits(verb.object)", verb="bark") == set()  # it has none
    assert lemmas(lexicon, "person & agrees(noun)", noun="dogs") == {"men", "clerks"}
    assert lemmas(lexicon, "person & !agrees(noun)", noun="dogs") == {"man", "clerk"}


def test_words_that_only_take_some_arguments(make_language: MakeLanguage) -> None:
    lexicon = load_lexicon(make_language())
    assert lemmas(lexicon, "only(subject: animate)") == {"see", "carry", "bark"}
    assert lemmas(lexicon, "only(subject: person)") == {"carry"}
    assert lemmas(lexicon, "only(object: thing)") == {"carry"}


def test_a_word_itself(make_language: MakeLanguage) -> None:
    lexicon = load_lexicon(make_language())
    assert lemmas(lexicon, "person & !'man'") == {"clerk", "clerks"}
    assert lemmas(lexicon, "'dog' | 'see'") == {"dog", "dogs", "see"}


def test_slots_are_found() -> None:
    expression = parse_restriction("a & (fits(verb.subject) | !takes(noun)) & fits(verb.object)")
    assert slots_in(expression) == ("verb", "noun")


@pytest.mark.parametrize(
    "text",
    [
        "person &",
        "(person",
        "person)",
        "person animate",
        "fits(verb)",
        "takes()",
        "loves(verb.subject)",
        "a ; b",
        "only(x)",
    ],
)
def test_invalid_expressions_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="write features with"):
        parse_restriction(text)


FEATURES = ("person", "animal", "thing", "sing", "plur")
formulas = st.recursive(
    st.sampled_from(FEATURES),
    lambda inner: st.one_of(
        st.builds("!({})".format, inner),
        st.builds("({} & {})".format, inner, inner),
        st.builds("{} | {}".format, inner, inner),
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> Lexicon:
    from small_language import FILES

    folder = tmp_path_factory.mktemp("toy")
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    return load_lexicon(folder)


@given(formula=formulas)
def test_equals_python(lexicon: Lexicon, formula: str) -> None:
    """`&` binds tighter than `|`, as `and` binds tighter than `or`."""
    view = LexiconView(lexicon, {})
    found = {entry.index for entry in lexicon.members(words_satisfying(parse_restriction(formula), view))}
    python = compile(
        formula.replace("&", " and ").replace("|", " or ").replace("!", " not ").strip(), "formula", "eval"
    )
    wanted = {
        entry.index
        for entry in lexicon.entries
        if eval(python, {"__builtins__": {}}, {f: f in entry.features for f in FEATURES})  # noqa: S307 - our own text
    }
    assert found == wanted
