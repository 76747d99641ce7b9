"""Trees for raw text: parsers that are not installed, and stand-ins for those that are."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import nltk
import pytest

from gardenpath.errors import InputError
from gardenpath.training.corpora.parsers import load_parser
from gardenpath.trees.tree import Tree, bracketed

SENTENCES = [["Rain", "(", "cold", ")", "falls"], ["Yes"]]


class Benepar(ModuleType):
    """Parses everything flat, through the calls that benepar 0.2 has."""

    def __init__(self) -> None:
        super().__init__("benepar")
        self.InputSentence = SimpleNamespace

    def Parser(self, name: str) -> Any:  # noqa: N802 - benepar's name
        if name != "benepar_en3":
            raise LookupError(name)
        return self

    def parse_sents(self, sentences: Iterable[Any]) -> Iterator[Any]:
        for sentence in sentences:
            yield nltk.Tree("TOP", [nltk.Tree("S", [nltk.Tree("XX", [word]) for word in sentence.escaped_words])])


class Spacy(ModuleType):
    """A pipeline that parses everything flat, through the calls that spaCy 3 has."""

    def __init__(self) -> None:
        super().__init__("spacy")
        self.pipe_names: list[str] = ["tagger"]
        self.vocab = None

    def load(self, name: str) -> "Spacy":
        if name != "en_core_web_md":
            raise OSError(name)
        return self

    def add_pipe(self, name: str, config: dict[str, str]) -> None:
        self.pipe_names.append(f"{name}/{config['model']}")

    def __call__(self, document: Any) -> Any:
        inside = " ".join(f"(XX {word})" for word in document.words).replace("(XX ()", "(XX -LRB-)")
        parsed = SimpleNamespace(parse_string=f"(S {inside.replace('(XX ))', '(XX -RRB-)')})")
        return SimpleNamespace(sents=[SimpleNamespace(_=parsed)])


def document(vocab: None, words: Sequence[str], sent_starts: list[bool]) -> Any:
    """spaCy's Doc."""
    assert sent_starts == [True] + [False] * (len(words) - 1)
    return SimpleNamespace(words=words)


@pytest.fixture
def benepar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "benepar", Benepar())


@pytest.fixture
def spacy(monkeypatch: pytest.MonkeyPatch, benepar: None) -> Spacy:
    pipeline = Spacy()
    tokens = ModuleType("spacy.tokens")
    tokens.Doc = document  # type: ignore[attr-defined] # a stand-in
    monkeypatch.setitem(sys.modules, "spacy", pipeline)
    monkeypatch.setitem(sys.modules, "spacy.tokens", tokens)
    return pipeline


def test_benepar(benepar: None) -> None:
    first, second = load_parser("benepar:benepar_en3")(SENTENCES)
    assert bracketed(first) == "(TOP (S (XX Rain) (XX -LRB-) (XX cold) (XX -RRB-) (XX falls)))"
    assert second == Tree("TOP", (Tree("S", (Tree("XX", ("Yes",)),)),))


def test_spacy(spacy: Spacy) -> None:
    first, second = load_parser("spacy:en_core_web_md")(iter(SENTENCES))
    assert spacy.pipe_names == ["tagger", "benepar/benepar_en3"]
    assert bracketed(first) == "(S (XX Rain) (XX -LRB-) (XX cold) (XX -RRB-) (XX falls))"
    assert second.words() == ["Yes"]


def test_models_that_are_not_there(spacy: Spacy) -> None:
    with pytest.raises(InputError, match=r"'benepar_xx' is not installed.*benepar.download\('benepar_xx'\)"):
        load_parser("benepar:benepar_xx")
    with pytest.raises(InputError, match=r"'xx_small' is not installed.*python -m spacy download xx_small"):
        load_parser("spacy:xx_small")


@pytest.mark.parametrize("name", ["benepar", "spacy:en_core_web_md"])
def test_packages_that_are_not_there(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package = name.partition(":")[0]
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=f"parsing needs {package}.*pip install {package}"):
        load_parser(name)


def test_unknown_parsers() -> None:
    for name in ("spacy", "charniak:1", ""):
        with pytest.raises(InputError, match="is not known; name benepar:benepar_en3"):
            load_parser(name)
