"""A model of one's own, as docs/own_model.md shows it."""

import doctest
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from gardenpath.errors import InputError
from gardenpath.models import conformance, tokenizers
from gardenpath.models.load import load_model
from gardenpath.models.protocol import ModelCard
from gardenpath.models.tokenizers import WordTokenizer

DOCS = Path(__file__).parents[2] / "docs" / "own_model.md"


def documented() -> dict[str, Any]:
    """What the page's blocks define when run one after another."""
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(block, str(DOCS), "exec"), names)
    return names


def test_the_documented_bigrams_are_a_model() -> None:
    names = documented()
    # After "the": keys 1 + 1, key 1 + 1, the six others 1 each; after "keys", "is": 1 of 8 + 1.
    tokens = names["scores"].tokens()
    assert tokens["bits"][1:3].to_list() == pytest.approx([-np.log2(2 / 10), -np.log2(1 / 9)])
    assert tokens["known"].to_list() == [True] * 7 + [False]
    assert names["run"].accuracy().height > 0


@pytest.mark.parametrize("module", [conformance, tokenizers])
def test_examples_in_docstrings(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


class Dice:
    """Every word has one bit; cards without fingerprints."""

    tokenizer = WordTokenizer.from_words(["<unk>", "a"])

    def __init__(self) -> None:
        self.card = ModelCard("dice", bos="<s>")

    def start(self) -> Any:
        return [None]

    def step(self, state: Any, rows: Any, tokens: Any, keep: Any) -> Any:
        return [1.0] * len(tokens), [None] * len(keep)


def test_objects_are_loaded_as_they_are() -> None:
    model = Dice()
    assert load_model(model) is model
    with pytest.raises(InputError, match="'dice' is an object: choose its first symbol"):
        load_model(model, bos="none")
    with pytest.raises(InputError, match="neither a model spec nor a model"):
        load_model(3)  # type: ignore[arg-type]
