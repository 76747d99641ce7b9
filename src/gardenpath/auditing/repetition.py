"""Check whether one side of a comparison repeats more of its words than the other."""

import numpy as np
from numpy.typing import NDArray

from gardenpath.auditing.cues import CueCheck, compare_counts
from gardenpath.auditing.finding import AuditFinding
from gardenpath.auditing.word_frequencies import Frequencies
from gardenpath.auditing.words import Material, cut_ending, is_word, sum_regions

FUNCTION_BITS = 10.0
"""Unigram surprisal up to which a word counts as a function word (about one word in a thousand): they recur anyway."""
REPETITION = CueCheck(
    "repetition",
    "both sides of every comparison repeat equally many of their words",
    "repeat words on both sides or on neither: models copy words they have read",
)


def repeated_words(material: Material, frequencies: Frequencies) -> NDArray[np.bool_]:
    """Whether each word, in any form, stands earlier in its sentence; function words and punctuation never count."""
    words = material.words
    stems: dict[str, int] = {}
    stem_of = np.array([stems.setdefault(cut_ending(word), len(stems)) for word in material.vocabulary])
    content = np.array([is_word(word) and frequencies.of(word) > FUNCTION_BITS for word in material.vocabulary])
    text_of_word = np.repeat(np.arange(len(words)), words.lengths)
    first = np.unique(text_of_word * len(stems) + stem_of[words.ids], return_index=True)[1]
    repeated = content[words.ids]
    repeated[first] = False
    return np.asarray(repeated)


def repetition_finding(material: Material, frequencies: Frequencies) -> AuditFinding:
    """Whether the expected side repeats more words of its own sentence than the other side, or fewer."""
    unrepeated = -repeated_words(material, frequencies).astype(np.float64)
    counts = sum_regions(material.suite, material.words, material.text_of, unrepeated).bits
    return REPETITION.finding(material, compare_counts(material, "more repeated words", counts))
