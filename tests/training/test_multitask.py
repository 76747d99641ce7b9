"""One LSTM, two tasks: the sum of their losses, what each teaches, and what a stop at any moment leaves."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch.nn.functional import cross_entropy

from gardenpath.errors import InputError
from gardenpath.models.load import load_model
from gardenpath.models.trained.checkpoint import read_checkpoint, read_tensors
from gardenpath.models.trained.checkpoint_record import WEIGHTS
from gardenpath.scoring.score import score_texts
from gardenpath.training.corpora.supertags import TaggedCorpus, encode_supertags, write_tags
from gardenpath.training.specs.architectures import MultitaskSpec
from gardenpath.training.specs.budget import Budget
from gardenpath.training.tasks.batches import BEGIN_ID, END_ID
from gardenpath.training.tasks.cross_entropy import LEFT_OUT
from gardenpath.training.tasks.multitask import (
    MultitaskTask,
    PairedBatches,
    TagSentences,
    TagStream,
    build_multitask,
    evaluate_tagging,
    measure_tagging,
)
from small_supertags import tagged_corpora, tagged_lines
from small_training import VOCABULARY_OF_ALL, assert_resumes, run, small_options, small_task


def multitask(folder: Path, *, weight: float = 1.0, seed: int = 0, **settings: Any) -> MultitaskTask:
    tags, corpora = tagged_corpora(folder / "data")
    return build_multitask(small_task(seed=seed, **settings), corpora, tags=len(tags), weight=weight, seed=seed)


pytestmark = pytest.mark.usefixtures("one_thread")


def tensors(path: Path) -> dict[str, torch.Tensor]:
    return read_tensors(path)[1]


def two_sentences(folder: Path) -> TaggedCorpus:
    """The category E does not occur in training."""
    path = folder / "two.txt"
    path.write_text("the|A key|B\nthe|A guards|C laugh|D .|E\n", encoding="utf-8")
    return encode_supertags(path, VOCABULARY_OF_ALL, ("A", "B", "C", "D"))


OUT = LEFT_OUT


def test_a_stream_has_the_category_of_every_word(tmp_path: Path) -> None:
    number = VOCABULARY_OF_ALL.ids
    the, key, guards, laugh, stop = (number[word] for word in ("the", "key", "guards", "laugh", "."))
    first, second = list(TagStream(two_sentences(tmp_path), 3, 2))
    assert first.inputs.T.tolist() == [[END_ID, the], [END_ID, the], [laugh, stop]]
    assert first.targets.T.tolist() == [[OUT, 0], [OUT, 0], [3, OUT]]
    assert second.inputs.T.tolist() == [[key], [guards], [END_ID]]
    assert second.targets.T.tolist() == [[1], [2], [OUT]]


def test_nothing_of_a_stream_is_lost_whatever_its_rows(tmp_path: Path) -> None:
    corpus = two_sentences(tmp_path)
    wanted = sorted(zip(corpus.ids.tolist(), corpus.tags.tolist(), strict=True))
    for rows in range(1, 12):
        for steps in range(1, 5):
            batches = list(TagStream(corpus, rows, steps))
            pairs = sorted(
                (word, tag)
                for batch in batches
                for word, tag in zip(batch.inputs.flatten().tolist(), batch.targets.flatten().tolist(), strict=True)
            )
            assert [pair for pair in pairs if pair[0] != END_ID] == [pair for pair in wanted if pair[0] != END_ID]
            assert sum(batch.tokens for batch in batches) == 5


def test_processes_share_the_rows_of_a_stream(tmp_path: Path) -> None:
    corpus = tagged_corpora(tmp_path)[1][0]
    whole, *parts = (list(TagStream(corpus, 4, 5, share)) for share in ((0, 1), (0, 2), (1, 2)))
    for batch, *shares in zip(whole, *parts, strict=True):
        assert torch.equal(batch.inputs, torch.cat([share.inputs for share in shares], dim=1))
        assert torch.equal(batch.targets, torch.cat([share.targets for share in shares], dim=1))


def test_sentences_have_the_category_of_every_word(tmp_path: Path) -> None:
    number = VOCABULARY_OF_ALL.ids
    (batch,) = list(TagSentences(two_sentences(tmp_path), tokens=100, seed=None))
    assert batch.inputs.T.tolist() == [
        [BEGIN_ID, number["the"], number["key"], END_ID, END_ID],
        [BEGIN_ID, number["the"], number["guards"], number["laugh"], number["."]],
    ]
    assert batch.targets.T.tolist() == [[OUT, 0, 1, OUT, OUT], [OUT, 0, 2, 3, OUT]]
    assert (batch.tokens, batch.fresh) == (5, True)


def test_tagged_sentences_go_on_from_epoch_to_epoch() -> None:
    passes = [["a0", "a1", "a2"], ["b0", "b1", "b2"], ["c0", "c1", "c2"]]
    text: Any = ["t0", "t1", "t2", "t3"]
    found = [PairedBatches(text, passes.__getitem__, 4 * epoch)[place] for epoch in (0, 1) for place in range(4)]
    assert [pair.tagged for pair in found] == ["a0", "a1", "a2", "b0", "b1", "b2", "c0", "c1"]
    assert [pair.text for pair in found] == [*text, *text]


def test_tagged_sentences_go_on_where_epochs_differ_in_length(tmp_path: Path) -> None:
    task = multitask(tmp_path)
    batching = task.language.batching.model_copy(update={"random_lengths": True})
    task = replace(task, language=replace(task.language, batching=batching))
    epochs = [task.batches(epoch, 0) for epoch in range(4)]
    assert len({len(batches) for batches in epochs}) > 1
    once = TagStream(task.tagged, batching.batch, batching.steps)
    expected = [once[number % len(once)].targets.tolist() for number in range(sum(map(len, epochs)))]
    pairs = [batches[number] for batches in epochs for number in range(len(batches))]
    assert [pair.tagged.targets.tolist() for pair in pairs] == expected
    assert task.rate_scale(pairs[0]) == len(pairs[0].text.inputs) / batching.steps


@pytest.mark.parametrize("layout", ["stream", "sentences"])
def test_every_tagged_word_is_learned_once_per_pass(tmp_path: Path, layout: Any) -> None:
    task = multitask(tmp_path, layout=layout, n=400)
    batches: Any = task.batches(0, 0)
    per_pass = len(batches.tagged)
    assert sum(batches[number].tagged.tokens for number in range(per_pass)) == task.tagged.words
    again = batches[per_pass].tagged  # another order of sentences, the same stream
    assert torch.equal(again.inputs, batches[0].tagged.inputs) == (layout == "stream")


def test_each_stream_has_its_own_state(tmp_path: Path) -> None:
    task = multitask(tmp_path, dropout=0.0)
    batches = task.batches(0, 0)
    carried = task.loss(batches[0], ())[2]
    loss, _, after = task.loss(batches[1], carried)
    assert len(after) == 4
    language = task.language.loss(batches[1].text, carried[:2])[0]
    tagged = batches[1].tagged
    hidden, (state, cell) = task.module(torch.cat([batches[0].tagged.inputs, tagged.inputs]))
    scores = task.module.tagger(hidden[len(batches[0].tagged.inputs) :])
    expected = cross_entropy(scores.flatten(0, 1), tagged.targets.flatten(), ignore_index=LEFT_OUT)
    torch.testing.assert_close(loss, language + expected)
    torch.testing.assert_close(after[2:], (state, cell))


@pytest.mark.parametrize("weight", [1.0, 0.25])
def test_the_loss_is_the_sum(tmp_path: Path, weight: float) -> None:
    task = multitask(tmp_path, weight=weight, dropout=0.0)
    pair = task.batches(0, 0)[0]
    loss, tokens, carried = task.loss(pair, ())
    language, expected_tokens, expected = task.language.loss(pair.text, ())
    hidden, _ = task.module(pair.tagged.inputs)
    tagging = cross_entropy(
        task.module.tagger(hidden).flatten(0, 1), pair.tagged.targets.flatten(), ignore_index=LEFT_OUT
    )
    torch.testing.assert_close(loss, language + weight * tagging)
    assert tokens == expected_tokens
    assert all(torch.equal(one, other) for one, other in zip(carried[:2], expected, strict=True))


def gradients(task: MultitaskTask, loss: torch.Tensor) -> dict[str, torch.Tensor]:
    task.module.zero_grad(set_to_none=True)
    loss.backward()
    return {name: part.grad.clone() for name, part in task.module.named_parameters() if part.grad is not None}


def test_both_tasks_move_the_shared_weights(tmp_path: Path) -> None:
    task = multitask(tmp_path, dropout=0.0)
    pair = task.batches(0, 0)[0]
    both = gradients(task, task.loss(pair, ())[0])
    language = gradients(task, task.language.loss(pair.text, ())[0])
    assert {name for name in both if name not in language} == {"tagger.weight", "tagger.bias"}
    for name, found in both.items():
        assert bool(found.any()), name
        if name.startswith("rnn.") or name == "encoder.weight":
            tagging = found - language[name]
            assert bool(language[name].any()), name
            assert float(tagging.abs().max()) > 1e-5, name
        elif name.startswith("decoder."):
            torch.testing.assert_close(found, language[name])


def test_it_learns_both(tmp_path: Path) -> None:
    task = multitask(tmp_path, n=400, held_out=200, layers=1, dropout=0.0)
    write_tags(tmp_path / "model", tagged_corpora(tmp_path / "data")[0])
    steps = run(task, tmp_path / "model", small_options(budget=Budget(5)))
    found = steps[-1].validation
    assert found is not None
    assert found.loss == pytest.approx(found.extra["language_loss"] + found.extra["tagging_loss"])
    assert found.perplexity == pytest.approx(math.exp(found.extra["language_loss"]))
    assert found.extra["tagging_accuracy"] == 1.0  # a word has one category here
    line = json.loads((tmp_path / "model" / "log.jsonl").read_text().splitlines()[-1])
    assert (line["perplexity"], line["tagging_accuracy"]) == (found.perplexity, 1.0)
    # As a language model, and as a tagger.
    model = load_model(str(tmp_path / "model"))
    good, bad = (score_texts(model, [text]).bits[2] for text in ("the keys laugh .", "the keys laughs ."))
    assert good + 2 < bad
    tagging = evaluate_tagging(tmp_path / "model", tmp_path / "data" / "valid-tags.txt")
    best = read_checkpoint(tmp_path / "model").training
    assert tagging.accuracy == best["tagging_accuracy"]
    assert tagging.loss == best["tagging_loss"]


@pytest.mark.parametrize("layout", ["stream", "sentences"])
def test_a_category_unseen_in_training_is_wrong_and_has_no_loss(tmp_path: Path, layout: Any) -> None:
    task = multitask(tmp_path, dropout=0.0, layout=layout)
    path = tmp_path / "unseen.txt"
    task.module.eval()
    with torch.inference_mode():
        whole = measure_tagging(task.module, task.held_out, layout)
        path.write_text(tagged_lines(10, 4).replace("N-b{N-aD}", "NP/N"), encoding="utf-8")
        tags = tagged_corpora(tmp_path / "data")[0]
        some = encode_supertags(path, VOCABULARY_OF_ALL, tags)
        for bias, (all_right, some_right) in ((tags.index("N-b{N-aD}"), (0.25, 0.0)), (tags.index("."), (0.25, 0.25))):
            task.module.tagger.weight.zero_()
            task.module.tagger.bias.zero_()
            task.module.tagger.bias[bias] = 1.0
            found = measure_tagging(task.module, task.held_out, layout)
            assert found.accuracy == all_right
            found = measure_tagging(task.module, some, layout)
            assert found.accuracy == some_right
            # Of the three categories that are left, by hand.
            right = 1 / 3 if some_right else 0.0
            assert found.loss == pytest.approx(math.log(3 + math.e) - right)
    assert some.unseen == 10
    assert math.isfinite(whole.loss)


@pytest.mark.parametrize("layout", ["stream", "sentences"])
def test_stopped_anywhere_equals_uninterrupted(tmp_path: Path, layout: Any) -> None:
    options = small_options(checkpoint_every=0.0, budget=Budget(2))
    assert_resumes(lambda seed: multitask(tmp_path, layout=layout, seed=seed), options, tmp_path, 3, 17, 1)
    assert "tagger.weight" in tensors(tmp_path / "whole" / WEIGHTS)


def test_a_training_goes_on_only_with_the_same_supertags(tmp_path: Path) -> None:
    run(multitask(tmp_path), tmp_path / "model", small_options(budget=Budget(1)))
    task = multitask(tmp_path)
    changed = replace(task, tagged=replace(task.tagged, digest="other"))
    for other, message in ((changed, "supertags was"), (multitask(tmp_path, weight=0.5), "weight was 1.0, is now 0.5")):
        with pytest.raises(InputError, match=f"started with different options .*{message}"):
            run(other, tmp_path / "model", small_options())
    with pytest.raises(InputError, match=r"weight was 1\.0, is now None"):
        run(small_task(), tmp_path / "model", small_options())


@pytest.mark.parametrize("weight", [-1.0, math.nan, math.inf])
def test_weights_that_mean_nothing(weight: float) -> None:
    files = {"corpus": "a.txt", "valid": "b.txt", "supertags": "a.tags", "valid_supertags": "b.tags", "out": "model"}
    with pytest.raises(InputError, match="weight"):
        MultitaskSpec.from_fields({**files, "weight": weight})


def test_both_twins_begin_alike(tmp_path: Path) -> None:
    alone, together = small_task(seed=3).module, multitask(tmp_path, seed=3).module
    for name, tensor in alone.state_dict().items():
        assert torch.equal(together.state_dict()[name], tensor), name
