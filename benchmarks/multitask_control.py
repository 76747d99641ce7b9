"""Whether supertags help a language model where they must: a positive control of `gardenpath train multitask`.

python benchmarks/multitask_control.py [--words 2000 8000 32000] [--tagged 30000] [--weights 0 1] [--seeds 0 1 2 3 4]
                                       [--budget 400000] [--out results.tsv]

Text and tagged sentences are of one generated language, whose categories have the number of nouns and verbs. A fifth of
the pairs of a noun and a verb never occur in one sentence, neither of the text nor of the tags, with the noun before
the verb. A model is tested on these pairs: whether it expects the right form of the verb after the noun (`the dog
laughs`, not `the dog laugh`), next to it (`local`) and after a phrase with a noun of the other number (`attractor`:
`the dog near the cats laughs`). All words of a test sentence are in the vocabulary, which is that of the text alone.

Each seed has its own texts, held-out pairs and first weights, the same with every weight of the tagging loss; weight 0
is plain language modelling. Every training reads as many words of text (`--budget`), on one thread; tagged sentences
are read beside them. The gain is that over weight 0, paired by seed, with its 95 % interval over seeds (t).
"""

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from scipy.stats import t as student

import gardenpath as gp
from gardenpath.scoring.score import score_texts
from gardenpath.text.vocabulary import read_vocabulary
from gardenpath.training.corpora.generated.language import Language, build_language
from gardenpath.training.corpora.generated.sentences import DrawnSentence, draw_sentences
from gardenpath.training.corpora.generated.word_classes import word_classes

NOUNS, VERBS, ADJECTIVES = 120, 80, 20
"""Words of the language: nouns of each number, verbs (each in both forms), adjectives."""
PREPOSITIONS = ("near", "by", "behind", "with")
HELD_OUT = 5
"""One in so many pairs of a noun and a verb is held out."""
ITEMS = 400
"""Test sentences of each kind, at most."""
VALIDATION_WORDS = 4000


@dataclass(frozen=True, slots=True)
class Words:
    """The nouns by number, and the verbs without ending."""

    singular: tuple[str, ...]
    plural: tuple[str, ...]
    verbs: tuple[str, ...]

    def is_held_out(self, noun: str, verb: str, seed: int) -> bool:
        """Whether a pair is for the test alone."""
        return random.Random(f"{seed} {noun} {verb}").randrange(HELD_OUT) == 0


def choose_words(seed: int) -> tuple[Words, Language]:
    """Draw the words of a language; verbs have regular forms, so that one is found from the other."""
    classes, rng = word_classes(), random.Random(seed)

    def draw(n: int, *names: str) -> list[str]:
        found = [word for word, given in sorted(classes.items()) if given & set(names) and len(given) == 1]
        return rng.sample(found, n)

    singular, plural = (draw(NOUNS, *(f"Noun[{number},{g}]" for g in "mfe")) for number in ("sg", "pl"))
    forms = [
        word
        for word, given in sorted(classes.items())
        if given & {"Vt[pl]", "Vi[pl]"} and given <= {"Vt[pl]", "Vi[pl]", "Vt[base]", "Vi[base]"}
        and classes.get(f"{word}s", frozenset()) in ({"Vt[sg]"}, {"Vi[sg]"}, {"Vt[sg]", "Vi[sg]"})
    ]  # fmt: skip
    verbs = rng.sample(forms, VERBS)
    chosen = {*singular, *plural, *verbs, *(f"{verb}s" for verb in verbs), *draw(ADJECTIVES, "Adj"), *PREPOSITIONS}
    return Words(tuple(singular), tuple(plural), tuple(verbs)), build_language(chosen)


def draw_allowed(language: Language, words: Words, *, seed: int, stream: str) -> Iterator[DrawnSentence]:
    """Draw sentences in which no held-out noun comes before its verb; streams of one seed differ."""
    nouns = {*words.singular, *words.plural}
    lemmas = {form: verb for verb in words.verbs for form in (verb, f"{verb}s")}
    for sentence in draw_sentences(language, random.Random(f"{seed} {stream}").randrange(2**32)):
        found = [word.lower() for word in sentence.tree.words()]
        pairs = (
            (noun, lemmas[verb])
            for place, noun in enumerate(found) if noun in nouns
            for verb in found[place + 1 :] if verb in lemmas
        )  # fmt: skip
        if not any(words.is_held_out(noun, verb, seed) for noun, verb in pairs):
            yield sentence


def take_words(sentences: Iterator[DrawnSentence], n: int) -> list[DrawnSentence]:
    """The first sentences that have so many words together."""
    found, total = [], 0
    while total < n:
        found.append(next(sentences))
        total += len(found[-1].categories)
    return found


def write_corpora(folder: Path, words: Words, language: Language, *, n: int, tagged: int, seed: int) -> None:
    """Write text and tags to learn from, and held-out ones."""
    for name, size in (("train", n), ("valid", VALIDATION_WORDS), ("tags", tagged), ("valid-tags", VALIDATION_WORDS)):
        drawn = take_words(draw_allowed(language, words, seed=seed, stream=name), size)
        lines = [
            " ".join(map("|".join, zip(one.tree.words(), one.categories, strict=True)) if "tags" in name
                     else one.tree.words())
            for one in drawn
        ]  # fmt: skip
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_items(words: Words, known: set[str], seed: int) -> dict[str, list[tuple[str, str]]]:
    """Pairs of a right and a wrong beginning of a sentence, by kind, all of known words."""
    rng = random.Random(f"{seed} test")
    items: dict[str, list[tuple[str, str]]] = {"local": [], "attractor": []}
    for nouns, others in ((words.singular, words.plural), (words.plural, words.singular)):
        right, wrong = ("s", "") if nouns is words.singular else ("", "s")
        near = [noun for noun in others if noun in known]
        for noun in nouns:
            for verb in words.verbs:
                if words.is_held_out(noun, verb, seed) and {noun, verb, f"{verb}s", "The", "the", "near"} <= known:
                    for kind, start in (
                        ("local", f"The {noun}"),
                        ("attractor", f"The {noun} near the {rng.choice(near)}"),
                    ):
                        items[kind].append((f"{start} {verb}{right}", f"{start} {verb}{wrong}"))
    return {kind: rng.sample(found, min(ITEMS, len(found))) for kind, found in items.items()}


def measure_accuracy(folder: Path, words: Words, seed: int) -> dict[str, float]:
    """The share of items whose right verb is more probable, and the perplexity of the validation text."""
    known = set(read_vocabulary(folder / "vocabulary.json").words)
    model = gp.load_model(str(folder))
    found = {}
    for kind, items in test_items(words, known, seed).items():
        texts = [text for pair in items for text in pair]
        bits = [float(text.bits[-1]) for text in score_texts(model, texts)]
        found[kind] = statistics.fmean(right < wrong for right, wrong in zip(bits[::2], bits[1::2], strict=True))
        found[f"{kind}_items"] = len(items)
    return found


def train_one(folder: Path, *, weight: float, seed: int, budget: int) -> Path:
    """Train one model; every one reads the same batches of text in the same order."""
    out = folder / f"weight-{weight:g}"
    gp.train(
        "multitask", preset="small", corpus=folder / "train.txt", valid=folder / "valid.txt",
        supertags=folder / "tags.txt", valid_supertags=folder / "valid-tags.txt", split="blanks", min_count=1,
        unknown="single", dropout=0.2, learning_rate=3e-3, schedule="plateau", factor=2.0, weight=weight, seed=seed,
        budget=f"{budget} tokens", validations=1, out=out,
    )  # fmt: skip
    return out


def interval(values: list[float]) -> tuple[float, float]:
    """The mean and half the width of its 95 % interval."""
    if len(values) < 2:
        return values[0], float("nan")
    error = statistics.stdev(values) / len(values) ** 0.5
    return statistics.fmean(values), float(student.ppf(0.975, len(values) - 1)) * error


def main() -> None:
    """Train all models and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--words", nargs="+", type=int, default=[2000, 8000, 32_000])
    parser.add_argument("--tagged", type=int, default=30_000)
    parser.add_argument("--weights", nargs="+", type=float, default=[0.0, 1.0])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--budget", type=int, default=400_000)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    rows: dict[tuple[int, float, int], dict[str, float]] = {}
    lines = ["words\tweight\tseed\tlocal\tattractor\titems\tperplexity\tseconds"]
    for n in options.words:
        for seed in options.seeds:
            words, language = choose_words(seed)
            with tempfile.TemporaryDirectory() as temporary:
                folder = Path(temporary)
                write_corpora(folder, words, language, n=n, tagged=options.tagged, seed=seed)
                for weight in options.weights:
                    start = time.process_time()
                    out = train_one(folder, weight=weight, seed=seed, budget=options.budget)
                    row = measure_accuracy(out, words, seed)
                    row["perplexity"] = gp.TrainedModel(out).perplexity or float("nan")
                    rows[n, weight, seed] = row
                    lines.append(
                        f"{n}\t{weight:g}\t{seed}\t{row['local']:.3f}\t{row['attractor']:.3f}\t"
                        f"{row['local_items']:.0f}\t{row['perplexity']:.2f}\t{time.process_time() - start:.0f}"
                    )
                    print(lines[-1], flush=True)
    if options.out is not None:
        options.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for n in options.words:
        for weight in options.weights[1:]:
            for kind in ("local", "attractor", "perplexity"):
                pairs = [
                    (rows[n, options.weights[0], seed][kind], rows[n, weight, seed][kind]) for seed in options.seeds
                ]
                gain, half = interval([high - low for low, high in pairs])
                means = [statistics.fmean(column) for column in zip(*pairs, strict=True)]
                print(f"{n:7,} words, {kind:10} {means[0]:8.3f} -> {means[1]:8.3f}: {gain:+.3f} ± {half:.3f}")


if __name__ == "__main__":
    main()
