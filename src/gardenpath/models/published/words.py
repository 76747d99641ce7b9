"""Words as in the corpora of the published models: the rules of Moses for English, and the marks of WikiText."""

import re

from gardenpath.models.tokenizers import WordSpans

STRAIGHT = str.maketrans({"’": "'", "‘": "'", "`": "'", "“": '"', "”": '"', "„": '"'})
"""Quotation marks, which both corpora have in one form."""
MARKS = ("@-@", "@,@", "@.@")
"""What WikiText writes for a hyphen, comma or point inside a word or number."""
WORD = re.compile(
    r"""
      (?<!\S)(?:@[-,.]@|<unk>|<eos>)(?!\S)                 # a text that is in the form of WikiText already
    | \.{2,}
    | --+
    | (?<=[^\W\d_])['’][^\W_]+ | (?<=\d)['’]s(?![^\W_])    # don|'t, John|'s, 1990|'s
    | [^\W_]+(?:(?:[-.]|(?<=\d),(?=\d))[^\W_]+)*(?:\.(?!\.))?   # well-known, 5,000, U.S.
    | \S
    """,
    re.VERBOSE,
)
MARKED = re.compile(r"-|(?<=\d)[,.](?=\d)")
ABBREVIATIONS = frozenset((
    "Mr", "Mrs", "Ms", "Dr", "St", "Jr", "Sr", "Prof", "Gen", "Lt", "Col", "Capt", "Sgt", "Maj", "Rev", "Hon", "Gov",
    "Sen", "Rep", "Pres", "vs", "Mt", "Inc", "Ltd", "Co", "Corp", "No", "Vol", "pp",
))  # fmt: skip
"""Words that keep their full stop."""
NEXT_LETTER = re.compile(r"\s+[^\W\d_]")


def moses_words(text: str) -> WordSpans:
    """Cut a text into words as the One Billion Word Benchmark has them: `don 't`, `well-known`, `5,000`, `U.S.`."""
    words: WordSpans = []
    for match in WORD.finditer(text):
        start, end = match.span()
        if end - start > 1 and text[end - 1] == "." and text[start].isalnum() and not keeps_stop(text, start, end):
            words += [(text[start : end - 1].translate(STRAIGHT), start, end - 1), (".", end - 1, end)]
        else:
            words.append((match.group().translate(STRAIGHT), start, end))
    return words


def keeps_stop(text: str, start: int, end: int) -> bool:
    """Tell whether a full stop is part of the word before it; at the end of a text only that of `U.S.` is."""
    word = text[start : end - 1]
    if "." in word and any(map(str.isalpha, word)):
        return True
    if not text[end:].strip():
        return False
    following = NEXT_LETTER.match(text, end)
    is_inside = following is not None and following.group()[-1].islower()
    return is_inside or word in ABBREVIATIONS or (len(word) == 1 and word.isupper())


def wikitext_words(text: str) -> WordSpans:
    """Cut a text into words as WikiText has them: as Moses, but `well @-@ known`, `5 @,@ 000`, `1 @.@ 73`."""
    words: WordSpans = []
    for word, start, end in moses_words(text):
        if word in MARKS or end - start == 1:
            words.append((word, start, end))
            continue
        cursor = 0
        for mark in MARKED.finditer(word) if word[0].isalnum() else ():
            words.append((word[cursor : mark.start()], start + cursor, start + mark.start()))
            words.append((f"@{mark.group()}@", start + mark.start(), start + mark.end()))
            cursor = mark.end()
        words.append((word[cursor:], start + cursor, end))
    return words
