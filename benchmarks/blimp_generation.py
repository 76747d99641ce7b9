"""How long the 67 paradigms take: 67,000 pairs on one core, with what they are made of counted."""

import os
import time
from collections import Counter

from gardenpath.suites.catalog import find_suites
from gardenpath.suites.grammar.lexicon_file import LANGUAGES_FOLDER, load_lexicon


def main() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {0})
    started = time.perf_counter()
    lexicon = load_lexicon(LANGUAGES_FOLDER / "english", "core")
    read = time.perf_counter() - started
    suites = find_suites("blimp")
    seconds = time.perf_counter() - started
    pairs = sum(len(suite.items) for suite in suites)
    texts = {(suite.name, sentence.text) for suite in suites for _, sentence in suite.trials()}
    words = {form for entry in lexicon.entries for name, form in entry.forms.items() if form and name != "preposition"}
    used = Counter(word for _, text in texts for word in text.strip(".?").split())
    print(f"lexicon: {len(words):,} inflected words, read in {read:.2f} s")
    print(f"{len(suites)} paradigms, {pairs:,} pairs in {seconds:.1f} s on one core ({pairs / seconds:,.0f} pairs/s)")
    print(f"{len(texts):,} different sentences in their paradigms, {len(used):,} different words in them")


if __name__ == "__main__":
    main()
