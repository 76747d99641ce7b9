"""The published GRNN: a whole module as PyTorch 0.3 pickled it, written here opcode by opcode."""

from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.scoring.score import ScoreOptions, score_texts
from old_pytorch import BUILD, REDUCE, name_of, old_module, plain, several, with_storages
from refusals import refused

WORDS = ["She", "focused", "on", "the", "keys", "are", "<eos>", "<unk>", "."]
"""In the order in which they first appear."""


def draw_arrays() -> dict[str, NDArray[np.float32]]:
    torch.manual_seed(2)
    lstm = nn.LSTM(6, 6, 2).state_dict()
    found = {"encoder.weight": torch.randn(len(WORDS), 6), "decoder.weight": torch.randn(len(WORDS), 6)}
    found |= {"decoder.bias": torch.randn(len(WORDS))} | {f"rnn.{name}": tensor for name, tensor in lstm.items()}
    return {name: tensor.numpy() for name, tensor in found.items()}


def write(folder: Path, content: bytes) -> str:
    (folder / "hidden650.pt").write_bytes(content)
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    return f"grnn:{folder / 'hidden650.pt'}"


def expected_bits(words: list[str]) -> list[float]:
    """The bits of all words but the first, by PyTorch's own LSTM in float64."""
    arrays = {name: torch.from_numpy(array).double() for name, array in draw_arrays().items()}
    lstm = nn.LSTM(6, 6, 2).double()
    lstm.load_state_dict({name[4:]: array for name, array in arrays.items() if name.startswith("rnn.")})
    ids = [WORDS.index(word if word in WORDS else "<unk>") for word in words]
    with torch.no_grad():
        hidden, _ = lstm(arrays["encoder.weight"][torch.tensor(ids)][:, None])
        logits = hidden[:, 0] @ arrays["decoder.weight"].T + arrays["decoder.bias"]
    logs = torch.log_softmax(logits, dim=-1) / np.log(2)
    return [-float(logs[place, id_]) for place, id_ in enumerate(ids[1:])]


def test_a_module_of_old_pytorch_is_read(tmp_path: Path) -> None:
    model = load_model(write(tmp_path, old_module(draw_arrays())))
    check_model(model, vocabulary_size=len(WORDS))
    words = ["She", "focused", "wildly", "on", "the", "keys", "."]
    scores = score_texts(model, ["She focused wildly on the keys."], ScoreOptions(end=True))
    assert scores.end_bits is not None
    found = [*scores.bits, *scores.end_bits]
    np.testing.assert_allclose(found, expected_bits(["<eos>", *words, "<eos>"]), atol=1e-5)
    assert scores.encoded.known.tolist() == [True, True, False, True, True, True, True]


def test_without_a_first_symbol_as_lm_zoo(tmp_path: Path) -> None:
    model = load_model(write(tmp_path, old_module(draw_arrays())), bos="none")
    scores = score_texts(model, ["She focused ."], ScoreOptions(first="zero", end=True))
    assert scores.end_bits is not None
    found = [*scores.bits, *scores.end_bits]
    np.testing.assert_allclose(found, [0.0, *expected_bits(["She", "focused", ".", "<eos>"])], atol=1e-5)


@pytest.mark.parametrize("name", ["os.system", "posix.system", "builtins.eval", "torch.hub.load", "model.Other"])
def test_code_in_a_module_is_never_run(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    attack = name_of(name) + several(plain("touch harm")) + REDUCE
    refused(f"it names {name}", load_model, write(tmp_path, old_module(draw_arrays(), harm=attack)))
    alone = with_storages(attack, [])
    refused(f"it names {name}", load_model, write(tmp_path, alone))
    assert not (tmp_path / "harm").exists()


def test_parameters_without_a_tensor_are_refused(tmp_path: Path) -> None:
    parameter = name_of("torch.nn.parameter.Parameter")
    for content in (
        parameter + several(plain("no tensor")) + REDUCE + plain("state") + BUILD,
        parameter + b")\x81" + plain("state") + BUILD,
        parameter + b")" + REDUCE,
    ):
        arrays = draw_arrays()
        module = old_module(arrays, _parameters=b"}" + plain("weight") + content + b"s")
        refused("damaged|not the weights", load_model, write(tmp_path, module))
    refused("damaged|not the weights", load_model, write(tmp_path, old_module(draw_arrays(), _modules=plain(3))))


def test_every_cut_file_is_refused(tmp_path: Path) -> None:
    content = old_module(draw_arrays())
    for length in range(0, len(content), len(content) // 25):
        refused("damaged", load_model, write(tmp_path, content[:length]))
