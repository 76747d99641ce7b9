"""Words as in the Penn Treebank, by NLTK's rules, with their spans in the text.

The papers tokenise with it (Hu et al. 2020, section 3.2). The rules take one sentence: only the last full stop of a
text is a word of its own, and `"` becomes `` or '' depending on its position. NLTK's regular expressions are applied
here to many sentences at once, a line each, which gives the same words in less than half of the time.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from gardenpath.errors import InputError

QUOTES = {"``": ('"', "''"), "''": ('"',)}
"""Spellings in a text that the tokenizer's quotation marks may replace."""

Rule = tuple[re.Pattern[str], str]


def penn_sentences(sentences: Sequence[str]) -> list[list[str]]:
    """The words of every sentence."""
    if not sentences:
        return []
    punctuation, quotes, contractions = treebank_rules()
    text = "\n".join(sentence.replace("\n", " ") for sentence in sentences)
    lowered = text.lower()
    for pattern, replacement in punctuation:
        text = pattern.sub(replacement, text)
    text = f" {text} ".replace("\n", " \n ")
    for pattern, replacement in quotes:
        text = pattern.sub(replacement, text)
    for (pattern, replacement), spelling in contractions:
        if spelling in lowered:
            text = pattern.sub(replacement, text)
    return [line.split() for line in text.split("\n")]


@cache
def treebank_rules() -> tuple[list[Rule], list[Rule], list[tuple[Rule, str]]]:
    """NLTK's replacements: of punctuation, of closing quotes, of contractions, the last with their spelling."""
    # Imported here because nltk takes a second to load.
    from nltk.tokenize.treebank import TreebankWordTokenizer as Treebank

    opening = [*Treebank.STARTING_QUOTES, *Treebank.PUNCTUATION, Treebank.PARENS_BRACKETS, Treebank.DOUBLE_DASHES]
    contractions = [by_lines(pattern, r" \1 \2 ") for pattern in (*Treebank.CONTRACTIONS2, *Treebank.CONTRACTIONS3)]
    spellings = ["".join(re.findall(r"\(([a-z']+)\)", pattern.pattern)) for pattern, _ in contractions]
    return (
        [by_lines(*rule) for rule in opening],
        [by_lines(*rule) for rule in Treebank.ENDING_QUOTES],
        list(zip(contractions, spellings, strict=True)),
    )


def by_lines(pattern: Any, replacement: str) -> Rule:
    """Make a rule for one text a rule for every line: ^ and $ match at its edges, and no match crosses them."""
    spelled = pattern.pattern.replace(r"\s*$", r"[^\S\n]*$").replace(r"([^\.])", r"([^\.\n])")
    return re.compile(spelled, re.MULTILINE), replacement


def place_tokens(sentence: str, tokens: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Find the spans of tokens that cover all of a text but its spaces."""
    cursor = 0
    for token in tokens:
        while cursor < len(sentence) and sentence[cursor].isspace():
            cursor += 1
        for spelling in (token, *QUOTES.get(token, ())):
            if sentence.startswith(spelling, cursor):
                yield token, cursor, cursor + len(spelling)
                cursor += len(spelling)
                break
        else:
            raise InputError(
                f"the word {token!r} is not at character {cursor} of {sentence!r}; "
                "write quotation marks and spaces in the usual way, or split words at spaces"
            )
