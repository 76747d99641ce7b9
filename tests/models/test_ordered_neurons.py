"""ON-LSTMs: the layers equal a literal loop over the paper's equations, with gradients; scoring equals a plain pass."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from gardenpath.errors import InputError, SentenceError
from gardenpath.io.sealed_json import seal_record
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.models.trained.checkpoint import distinct_weights, write_tensors
from gardenpath.models.trained.checkpoint_record import WEIGHTS
from gardenpath.models.trained.on_lstm.cell import OrderedSteps
from gardenpath.models.trained.on_lstm.module import DROPOUTS, OrderedNeuronsLM, load_ordered
from gardenpath.models.trained.on_lstm.parser import load_distance_parser
from gardenpath.scoring.score import score_texts
from gardenpath.training.prepare.lstm import on_lstm_shape
from gardenpath.training.specs.architectures import OnLstmSpec
from literal_on_lstm import literal_pass
from small_on_lstm import NO_DROPOUT, save, small_module
from small_training import VOCABULARY_OF_ALL, sentences

SIZE = len(VOCABULARY_OF_ALL)


def some_ids(steps: int, rows: int) -> Tensor:
    return torch.randint(SIZE, (steps, rows), generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("shape", [{}, {"layers": 1}, {"chunk": 1}, {"chunk": 6, "tied": False}, {"width": 6}])
def test_layers_equal_the_equations_with_gradients(shape: Any) -> None:
    module = small_module(**shape)
    ids = some_ids(7, 3)
    hidden, (h, c) = module(ids)
    weights = torch.linspace(-1, 1, hidden[:, 0].numel(), dtype=torch.float64).view_as(hidden[:, 0])
    loss = sum((hidden[:, row] * weights).sum() + (row + 1) * c[0, row].sum() for row in range(3))
    grads = torch.autograd.grad(loss, list(module.parameters()), allow_unused=True)
    literal_loss = torch.zeros((), dtype=torch.float64)
    for row in range(3):
        expected, states, _ = literal_pass(module, ids[:, row])
        torch.testing.assert_close(hidden[:, row], expected, rtol=0, atol=1e-10)
        widths = module.options.widths
        torch.testing.assert_close(
            h[0, row], torch.cat([state[:width] for state, width in zip(states, widths, strict=True)])
        )
        cells = torch.cat([state[width:] for state, width in zip(states, widths, strict=True)])
        torch.testing.assert_close(c[0, row], cells)
        literal_loss = literal_loss + (expected * weights).sum() + (row + 1) * cells.sum()
    expected_grads = torch.autograd.grad(literal_loss, list(module.parameters()), allow_unused=True)
    for (name, _), found, wanted in zip(module.named_parameters(), grads, expected_grads, strict=True):
        if wanted is None:
            assert found is None, name
        else:
            assert found is not None, name
            torch.testing.assert_close(found, wanted, rtol=0, atol=1e-9)


def test_single_precision_is_close_to_the_equations() -> None:
    module = small_module(double=False)
    ids = some_ids(9, 2)
    for row in range(2):
        torch.testing.assert_close(module(ids)[0][:, row], literal_pass(module, ids[:, row])[0], rtol=0, atol=1e-6)


def test_gradients_are_those_of_small_changes() -> None:
    torch.manual_seed(0)
    tensors = [torch.randn(*shape, dtype=torch.float64) for shape in ((4, 2, 4 * 6 + 2 * 3), (30, 6), (2, 6), (2, 6))]
    for tensor in tensors:
        tensor.requires_grad_()
    assert torch.autograd.gradcheck(lambda *given: OrderedSteps.apply(*given, 3), tensors)


def test_distances_are_what_is_forgotten() -> None:
    module = small_module()
    ids = some_ids(6, 2)
    for layer in range(3):
        found = module.distances(ids, layer)
        for row in range(2):
            gates = literal_pass(module, ids[:, row])[2][layer]
            expected = torch.stack([len(gate) - gate.sum() for gate in gates])
            torch.testing.assert_close(found[:, row], expected)
    with pytest.raises(ValueError, match="layer 3 of 3"):
        module.distances(ids, 3)


def test_padding_order_and_pieces_change_nothing() -> None:
    module = small_module()
    ids = some_ids(8, 5)
    whole, (h, c) = module(ids)
    padded, _ = module(torch.cat([ids, torch.ones(3, 5, dtype=torch.int64)]))
    torch.testing.assert_close(padded[:8], whole, rtol=0, atol=1e-12)
    order = torch.tensor([3, 0, 4, 1, 2])
    torch.testing.assert_close(module(ids[:, order])[0], whole[:, order], rtol=0, atol=1e-12)
    first, state = module(ids[:3])
    second, (h_again, c_again) = module(ids[3:], state)
    torch.testing.assert_close(torch.cat([first, second]), whole, rtol=0, atol=1e-12)
    torch.testing.assert_close(torch.cat([h_again, c_again]), torch.cat([h, c]), rtol=0, atol=1e-12)


def test_dropout_is_locked_and_for_training_only() -> None:
    module = small_module(**{**NO_DROPOUT, "output_dropout": 0.5})
    ids = some_ids(8, 5)
    plain = module.eval()(ids)[0]
    hidden, _ = module.train()(ids)
    # The last chunk is never written.
    alive = (plain.abs() > 1e-9).all(dim=0)
    dropped = hidden[:, alive] == 0
    assert bool((dropped == dropped[:1]).all())
    assert 0 < int(dropped[0].sum()) < dropped[0].numel()
    torch.testing.assert_close(hidden[:, alive][~dropped], 2 * plain[:, alive][~dropped])
    words = small_module(**{**NO_DROPOUT, "word_dropout": 0.5}).train().embed(ids)
    gone = (words == 0).all(dim=-1)
    for number in ids.unique():
        assert len(gone[ids == number].unique()) == 1
    for name in DROPOUTS:
        module = small_module(**{**NO_DROPOUT, name: 0.5})
        assert not torch.equal(module.train()(ids)[0], plain), name
        torch.testing.assert_close(module.eval()(ids)[0], plain)


FILES = {"corpus": "train.txt", "valid": "valid.txt", "out": "model"}


def test_presets_of_the_paper() -> None:
    options = on_lstm_shape(OnLstmSpec.from_fields(FILES), 10_000)
    assert options.widths == (1150, 1150, 400)
    # Shen et al. 2019, Table 1: 25 million parameters with the 10,000 words of the Penn Treebank.
    with torch.device("meta"):
        n = sum(parameter.numel() for parameter in OrderedNeuronsLM(options).parameters())
    assert round(n / 1e6) == 25


def test_shapes_that_cannot_be() -> None:
    for changes, message in (
        ({"chunk": 7}, r"chunks of 7 units do not fill a layer of 400 \(embedding"),
        ({"width": 1151}, "do not fill a layer of 1151"),
        ({"layers": 0}, "layers is 0"),
        ({"weight_dropout": 1.0}, "weight_dropout is 1.0"),
    ):
        with pytest.raises(InputError, match=message):
            replace(on_lstm_shape(OnLstmSpec.from_fields(FILES)), **changes)
    assert replace(on_lstm_shape(OnLstmSpec.from_fields(FILES)), embedding=4, width=1151, layers=1, chunk=2).widths == (
        4,
    )


@pytest.mark.parametrize(("begin", "number"), [("</s>", 1), ("<s>", 0)])
def test_trie_scoring_equals_a_plain_forward_pass(tmp_path: Path, begin: str, number: int) -> None:
    module = save(tmp_path, begin=begin)
    model = load_ordered(tmp_path)
    texts = [*sentences(20, seed=5), "the key of the guards laughs ."]
    scores = score_texts(model, texts)
    for text in range(len(texts)):
        ids = torch.tensor([number, *(token.id for token in scores.encoded.tokens(text))])
        with torch.no_grad():
            logs = torch.log_softmax(module.decoder(module(ids[:-1, None])[0][:, 0]), dim=-1)
        expected = -logs[torch.arange(len(ids) - 1), ids[1:]].numpy() / np.log(2)
        span = slice(scores.encoded.offsets[text], scores.encoded.offsets[text + 1])
        np.testing.assert_allclose(scores.bits[span], expected, atol=2e-5)


def test_it_keeps_the_promises_of_models(tmp_path: Path) -> None:
    save(tmp_path)
    model = load_model(str(tmp_path))
    check_model(model, vocabulary_size=SIZE)
    check_model(load_model(str(tmp_path), bos="none"))
    assert model.card.decisions["architecture"] == f"ON-LSTM 12-12-6 in chunks of 3, {SIZE} words"
    assert model.card.bytes_per_state == 4 * (2 * 30 + 1)


def test_a_checkpoint_of_another_architecture_is_refused(tmp_path: Path) -> None:
    save(tmp_path)
    record = json.loads((tmp_path / "checkpoint.json").read_text())
    for change, message in (
        ({"width": 15}, "another architecture .*layers.0.input.weight is"),
        ({"chunk": 2}, "another architecture .*layers.0.input.weight is"),
        ({"layers": 2}, "another architecture .*does not belong"),
        ({"heads": 3}, "options of another architecture"),
        ({"vocabulary": 7}, "has 17 words, the weights are for 7"),
    ):
        changed = {**record, "options": {**record["options"], **change}}
        (tmp_path / "checkpoint.json").write_text(seal_record(changed))
        with pytest.raises(InputError, match=message):
            load_ordered(tmp_path)


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    module = save(tmp_path)
    with torch.no_grad():
        module.decoder.bias[3] = np.inf
    write_tensors(tmp_path / WEIGHTS, distinct_weights(module), {"training": {}})
    for load in (load_ordered, load_distance_parser):
        with pytest.raises(InputError, match=r"weights are not numbers \(decoder\.bias\)"):
            load(tmp_path)


def test_gates_that_are_no_numbers_are_reported_with_the_sentence(tmp_path: Path) -> None:
    save(tmp_path)
    parser = load_distance_parser(tmp_path)
    with torch.no_grad():
        parser.module.encoder.weight[VOCABULARY_OF_ALL.ids["smiles"]] = torch.nan
    sentences = [["the", "key", "laughs"], ["key", "smiles"], ["the"]]
    with pytest.raises(SentenceError, match="gates of the model are not numbers") as told:
        parser.parse(sentences)
    assert told.value.number == 1
