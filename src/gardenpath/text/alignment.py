"""Alignment of sentences: which words stand under one another."""

from collections.abc import Sequence

GAP = -1
"""What a word without a counterpart counts; a pair of equal words counts 2, one of different words nothing."""


def align_words(sentences: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return the column of every word, so that words that sentences share are in one column where possible.

    Sentences are aligned one after another with all before them. No column is empty.

    >>> align_words([["the", "keys", "is", "lost"], ["the", "keys", "are", "lost"], ["the", "keys", "lost"]])
    [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 3]]
    """
    columns: list[dict[int, str]] = []  # the words of each column by sentence
    for number, words in enumerate(sentences):
        merged: list[dict[int, str]] = []
        for column, word in align_pair([set(column.values()) for column in columns], words):
            found = {} if column is None else columns[column]
            merged.append(found if word is None else {**found, number: words[word]})
        columns = merged
    return [[index for index, column in enumerate(columns) if number in column] for number in range(len(sentences))]


def align_pair(columns: Sequence[set[str]], words: Sequence[str]) -> list[tuple[int | None, int | None]]:
    """Return pairs of a column and a word, or of one of them and None, that count most together."""
    best = [[GAP * (i + j) for j in range(len(words) + 1)] for i in range(len(columns) + 1)]
    for i, column in enumerate(columns):
        for j, word in enumerate(words):
            paired = best[i][j] + 2 * (word in column)
            best[i + 1][j + 1] = max(paired, best[i][j + 1] + GAP, best[i + 1][j] + GAP)
    pairs: list[tuple[int | None, int | None]] = []
    i, j = len(columns), len(words)
    while i or j:
        if i and j and best[i][j] == best[i - 1][j - 1] + 2 * (words[j - 1] in columns[i - 1]):
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif j and best[i][j] == best[i][j - 1] + GAP:
            j -= 1
            pairs.append((None, j))
        else:
            i -= 1
            pairs.append((i, None))
    return pairs[::-1]
