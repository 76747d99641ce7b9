"""Steps that prepare corpora."""

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
