"""Every symbol of a corpus is predicted once, after the symbols before it."""

from itertools import chain

import numpy as np
import pytest

from gardenpath.errors import InputError
from gardenpath.training.tasks.batches import BEGIN_ID, END_ID, SentenceBatches, StreamBatches
from gardenpath.training.tasks.cross_entropy import LEFT_OUT

IDS = np.array([5, 6, 1, 7, 1, 8, 9, 10, 1, 11, 1, 12, 13], dtype=np.int32)


def test_a_stream_by_hand() -> None:
    batches = StreamBatches(IDS, rows=3, steps=3)
    assert (len(batches), batches.width) == (2, 4)
    assert batches[0].inputs.T.tolist() == [[END_ID, 5, 6], [7, 1, 8], [10, 1, 11]]
    assert batches[0].targets.T.tolist() == [[5, 6, 1], [1, 8, 9], [1, 11, 1]]
    assert batches[1].inputs.T.tolist() == [[1], [9], [1]]
    assert batches[1].targets.T.tolist() == [[7], [10], [12]]
    assert [batches[number].tokens for number in range(2)] == [9, 3]


@pytest.mark.parametrize(("rows", "steps"), [(1, 1), (2, 5), (4, 35), (13, 1)])
def test_a_stream_predicts_every_symbol_once(rows: int, steps: int) -> None:
    batches = StreamBatches(IDS, rows, steps)
    targets = np.concatenate([batches[number].targets.T.numpy() for number in range(len(batches))], axis=1)
    inputs = np.concatenate([batches[number].inputs.T.numpy() for number in range(len(batches))], axis=1)
    used = len(IDS) // rows * rows
    assert targets.reshape(-1).tolist() == IDS[:used].tolist()
    assert inputs.reshape(-1).tolist() == [END_ID, *IDS[: used - 1].tolist()]


def test_processes_share_the_rows_of_a_stream() -> None:
    whole = StreamBatches(IDS, 4, 2)
    parts = [StreamBatches(IDS, 4, 2, (rank, 2)) for rank in range(2)]
    for number in range(len(whole)):
        together = np.concatenate([part[number].targets.numpy() for part in parts], axis=1)
        assert together.tolist() == whole[number].targets.tolist()
    with pytest.raises(InputError, match="3 rows cannot be shared by 2"):
        StreamBatches(IDS, 3, 2, (0, 2))


def test_a_corpus_smaller_than_a_batch_is_refused() -> None:
    with pytest.raises(InputError, match="has 13 words and sentence ends, fewer than the 20 rows"):
        StreamBatches(IDS, 20, 35)
    with pytest.raises(InputError, match="no sentence"):
        SentenceBatches(IDS[:2], tokens=10, seed=None)


def test_sentences_come_whole_and_from_a_fresh_start() -> None:
    found = []
    batches = SentenceBatches(IDS, tokens=8, seed=(0, 1))
    for number in range(len(batches)):
        batch = batches[number]
        assert batch.fresh
        assert batch.inputs.numel() <= 8
        for inputs, targets in zip(batch.inputs.T.tolist(), batch.targets.T.tolist(), strict=True):
            counted = [target for target in targets if target != LEFT_OUT]
            assert inputs[: len(counted)] == [BEGIN_ID, *counted[:-1]]
            found.append(counted)
    assert sorted(found) == [[5, 6, 1], [7, 1], [8, 9, 10, 1], [11, 1]]


def test_the_order_of_sentences_comes_from_the_seed() -> None:
    ids = np.array([number for word in range(2, 60) for number in (word, END_ID)], dtype=np.int32)

    def order(seed: tuple[int, ...] | None) -> list[list[int]]:
        batches = SentenceBatches(ids, tokens=6, seed=seed)
        return [batches[number].targets[0].tolist() for number in range(len(batches))]

    assert order((1, 2)) == order((1, 2))
    assert order((1, 2)) != order((1, 3))
    assert sorted(chain.from_iterable(order((1, 2)))) == list(range(2, 60))
    assert list(chain.from_iterable(order(None))) == list(range(2, 60))
