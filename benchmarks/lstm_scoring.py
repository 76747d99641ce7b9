"""Sentences per second of scoring Marvin & Linzen's templates with an LSTM: through the tree, and sentence by sentence.

python benchmarks/lstm_scoring.py [--width 256] [--vocabulary 30000] [--sample 2000] [--batch 64] [--threads 2]

The trie scores all sentences of the collection. The other way scores a random sample of them, in batches of equal
length, with a plain forward pass and a softmax at every word; its time for all is estimated from the sample.
The weights are random, since they do not bear on the time; every word of the sentences is in the vocabulary.
"""

import argparse
import os
import time

import numpy as np
import torch

from gardenpath.models.trained.lstm import RecurrentLM, RecurrentModel, RecurrentOptions, describe_recurrent
from gardenpath.scoring.score import Scoring
from gardenpath.suites.catalog import find_suites
from gardenpath.text.vocabulary import Vocabulary, VocabularyTokenizer, split_words
from quiet import wait_for_quiet


def build_model(texts: list[str], width: int, size: int) -> RecurrentModel:
    """An LSTM that knows the words of the texts, and as many others as make up the vocabulary."""
    words = sorted({word for sentence in split_words(texts, "penn") for word in sentence})
    others = (f"other{number}" for number in range(size - 3 - len(words)))
    vocabulary = Vocabulary(("<s>", "</s>", "UNK", *words, *others), "classes")
    torch.manual_seed(0)
    options = RecurrentOptions(len(vocabulary), width, width, 2, 0.2, tied=False)
    card = describe_recurrent("random", options, fingerprint="random", bos="</s>", end=1)
    return RecurrentModel(card, VocabularyTokenizer(vocabulary, "penn"), RecurrentLM(options), begin=1)


@torch.inference_mode()
def one_by_one(model: RecurrentModel, texts: list[str], batch: int) -> list[np.ndarray]:
    """Score every sentence from its beginning, in bits per token."""
    encoded = model.tokenizer.encode(texts)
    found: list[np.ndarray] = [np.zeros(0)] * len(texts)
    for length in np.unique(encoded.lengths):
        alike = np.flatnonzero(encoded.lengths == length)
        for chosen in np.array_split(alike, -(-len(alike) // batch)):
            ids = torch.from_numpy(encoded.ids[encoded.offsets[chosen][:, None] + np.arange(length)])  # (texts, words)
            read = torch.cat([torch.ones(len(ids), 1, dtype=torch.long), ids], dim=1)
            hidden, _ = model.module(read[:, :-1].T)
            logs = torch.log_softmax(model.module.decoder(hidden), dim=-1)  # (words, texts, vocabulary)
            nats = -logs.gather(-1, ids.T[..., None])[..., 0]
            for text, bits in zip(chosen, (nats.T / np.log(2)).numpy(), strict=True):
                found[text] = bits
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--vocabulary", type=int, default=30_000)
    parser.add_argument("--sample", type=int, default=2_000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    sentences = {sentence.text for suite in find_suites("marvin-linzen") for _, sentence in suite.trials()}
    texts = sorted(sentences)
    model = build_model(texts, arguments.width, arguments.vocabulary)
    chosen = np.random.default_rng(0).choice(len(texts), min(arguments.sample, len(texts)), replace=False)
    sample = [texts[text] for text in chosen]
    wait_for_quiet(patience=20)
    start, used = time.perf_counter(), time.process_time()
    expected = one_by_one(model, sample, arguments.batch)
    plain, plain_busy = len(sample) / (time.perf_counter() - start), len(sample) / (time.process_time() - used)
    wait_for_quiet(patience=20)
    start, used = time.perf_counter(), time.process_time()
    scoring = Scoring(model, texts)
    scores = scoring.scores({part: scoring.compute(part) for part in range(len(scoring.sizes))})
    seconds, busy = time.perf_counter() - start, time.process_time() - used
    spans = [slice(*scores.encoded.offsets[text : text + 2]) for text in chosen]
    worst = max(np.abs(scores.bits[span] - bits).max() for span, bits in zip(spans, expected, strict=True))
    tokens = len(scores.encoded.ids)
    print(
        f"LSTM 2x{arguments.width}, {arguments.vocabulary:,} words, {arguments.threads} threads, {len(texts):,} texts"
    )
    print(f"{tokens:,} words, {sum(scoring.sizes):,} of them after different beginnings")
    print(
        f"one by one {plain:>10,.0f} sentences/s, {plain_busy:,.0f} per processor second (on {len(sample):,} of them)"
    )
    print(f"trie       {len(texts) / seconds:>10,.0f} sentences/s, {len(texts) / busy:,.0f} per processor second")
    print(f"ratio      {len(texts) / seconds / plain:>10.1f}, by processor time {len(texts) / busy / plain_busy:.1f}")
    print(f"largest difference of a token: {worst:.1e} bits")


if __name__ == "__main__":
    main()
