"""Texts of the supertags' own domain, for the experiment beside this file.

python prepare.py DATA [--out texts] [--words 1550000]

DATA has `treebank`, `supertags` and `text/wiki`, each with its `documents.tsv` or `train.txt`. Written are

    domain.txt     the words of the treebank documents whose sentences are in the training part of the supertags
    extended.txt   these, and the sentences of the encyclopaedia that are nearest to them, up to so many words
    valid.txt      the words of the documents whose sentences are in the validation part

There are fewer than a million words of the domain itself. The rest is chosen by the difference of two cross-entropies
per word, of a trigram model of the domain and of one of as many words of the encyclopaedia (Moore and Lewis 2010), over
the vocabulary of the domain: words that it lacks are one unknown word to both.
"""

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import polars
from nltk.tokenize import NLTKWordTokenizer

import gardenpath as gp
from gardenpath.scoring.score import score_texts
from gardenpath.training.corpora.treebank import read_words

UNKNOWN = "<unk>"
AT_ONCE = 20_000
"""Sentences that are scored at a time."""


def documents_of(data: Path, part: str) -> polars.DataFrame:
    """The lines of the treebank files that belong to a part of the supertags."""
    tagged = polars.read_csv(data / "supertags/documents.tsv", separator="\t", infer_schema=False)
    trees = polars.read_csv(data / "treebank/documents.tsv", separator="\t", infer_schema=False)
    chosen = tagged.filter(polars.col("split") == part).select(
        "document", file=polars.col("treebank") + polars.lit(".mrg")
    )
    return trees.join(chosen.unique(), on=["file", "document"], how="semi")


def domain_sentences(data: Path, part: str) -> Iterator[str]:
    """The words of the treebank sentences of a part of the supertags, with spaces between them."""
    for (file,), documents in documents_of(data, part).group_by("file", maintain_order=True):
        lines = (data / "treebank" / str(file)).read_text(encoding="utf-8").splitlines()
        spans = documents.select(polars.col("first_line", "last_line").cast(polars.Int64)).rows()
        with tempfile.TemporaryDirectory() as folder:
            trees = Path(folder) / "trees.mrg"
            trees.write_text("\n".join(line for first, last in spans for line in lines[first - 1 : last]) + "\n")
            yield from (" ".join(words) for words in read_words(trees) if words)


def count_words(sentences: Iterable[str]) -> int:
    """How many words sentences have, as they stand between spaces."""
    return sum(sentence.count(" ") + 1 for sentence in sentences)


def cross_entropies(training: list[str], sentences: list[str], folder: Path) -> list[float]:
    """Bits per word of sentences, by a trigram model of others."""
    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(training) + "\n", encoding="utf-8")
    gp.train("ngram", corpus=corpus, order=3, tokenize=False, min_count=1, out=folder / "trigrams")
    model = gp.load_model(str(folder / "trigrams"))
    return [
        float(text.bits.sum()) / len(text.bits)
        for start in range(0, len(sentences), AT_ONCE)
        for text in score_texts(model, sentences[start : start + AT_ONCE])
    ]


def nearest_sentences(domain: list[str], others: list[str], words: int) -> list[str]:
    """The sentences that are most like those of the domain and least like the others, up to so many words."""
    splitter = NLTKWordTokenizer()
    counts = Counter(word for sentence in domain for word in sentence.lower().split())
    known = {word for word, count in counts.items() if count > 1}

    def as_known(sentence: Iterable[str]) -> str:
        return " ".join(word if word in known else UNKNOWN for word in sentence)

    seen = [as_known(splitter.tokenize(sentence.lower())) for sentence in others]
    sample = random.Random(1).sample(seen, len(seen))
    total = count_words(domain)
    general = [sentence for sentence, so_far in with_running_words(sample) if so_far <= total]
    near = [as_known(sentence.lower().split()) for sentence in domain]
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        inside, outside = cross_entropies(near, seen, Path(first)), cross_entropies(general, seen, Path(second))
    order = sorted(range(len(others)), key=lambda index: inside[index] - outside[index])
    return [sentence for sentence, so_far in with_running_words(others[index] for index in order) if so_far <= words]


def with_running_words(sentences: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Every sentence with the number of words up to its end."""
    total = 0
    for sentence in sentences:
        total += count_words([sentence])
        yield sentence, total


def main() -> None:
    """Write the three texts, and print their sizes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--out", type=Path, default=Path("texts"))
    parser.add_argument("--words", type=int, default=1_550_000)
    options = parser.parse_args()
    domain = list(domain_sentences(options.data, "train"))
    valid = list(domain_sentences(options.data, "valid"))
    others = (options.data / "text/wiki/train.txt").read_text(encoding="utf-8").splitlines()
    added = nearest_sentences(domain, others, options.words - count_words(domain))
    options.out.mkdir(parents=True, exist_ok=True)
    for name, sentences in (("domain", domain), ("extended", [*domain, *added]), ("valid", valid)):
        (options.out / f"{name}.txt").write_text("\n".join(sentences) + "\n", encoding="utf-8")
        print(f"{name}.txt: {len(sentences):,} sentences, {count_words(sentences):,} words")  # noqa: T201 - a script


if __name__ == "__main__":
    main()
