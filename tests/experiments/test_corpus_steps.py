"""Steps that prepare corpora."""

from collections import Counter

import pytest

import gardenpath as gp
from gardenpath.experiments.work.corpora import VOCABULARY, write_corpus
from gardenpath.text.vocabulary import read_vocabulary


@pytest.mark.filterwarnings("ignore:the discounts")  # the text is short
def test_models_of_the_smallest_sample_know_the_words_that_fill_suites(tmp_path):
    lines = [f"The cat number{i} sleeps near the dog{i % 7} ." for i in range(60)]
    (tmp_path / "text.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "corpus").mkdir()
    work = {"text": [str(tmp_path / "text.txt")], "sizes": [100, 300], "held_out": 40, "seed": 1}
    write_corpus(work, tmp_path / "corpus", lambda _: None)
    listed = [line.split("\t")[0] for line in (tmp_path / "corpus" / VOCABULARY).read_text().splitlines()]
    trained = gp.train("ngram", corpus=tmp_path / "corpus/train-100-1.txt", order=2, out=tmp_path / "bigrams")
    assert {"cat", "sleeps"} <= set(listed)
    assert set(listed) <= set(read_vocabulary(trained.path / "vocabulary.json").words)


def test_words_that_fill_suites_are_in_the_smallest_sample_of_every_series(tmp_path):
    (tmp_path / "text.txt").write_text("".join(f"The dog{i % 9} sees the cat{i % 11} .\n" for i in range(99)))
    work = {"text": [str(tmp_path / "text.txt")], "sizes": [90], "samples": 2, "held_out": 40, "seed": 1}
    write_corpus(work, tmp_path / "corpus", lambda _: None)
    samples = [Counter((tmp_path / f"corpus/train-90-{number}.txt").read_text().split()) for number in (1, 2)]
    listed = dict(line.split("\t") for line in (tmp_path / "corpus" / VOCABULARY).read_text().splitlines())
    least = {word: min(sample[word] for sample in samples) for word in samples[0] | samples[1]}
    assert {word: int(count) for word, count in listed.items()} == {word: n for word, n in least.items() if n >= 2}
    assert any(n < 2 for n in least.values())
