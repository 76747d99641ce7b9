"""The published layout of Gulordava et al.: read without running any of its code."""

import pickle
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from gardenpath.errors import InputError
from gardenpath.models.conformance import check_model
from gardenpath.models.load import load_model
from gardenpath.scoring.score import score_texts
from refusals import refused

WORDS = ["the", "keys", "are", "<eos>", "<unk>", "The", "."]


def published_module() -> nn.Module:
    """A module as their `model.py` defines it."""

    class RNNModel(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(0.2)
            self.encoder = nn.Embedding(len(WORDS), 6)
            self.rnn = nn.LSTM(6, 6, 2, dropout=0.2)
            self.decoder = nn.Linear(6, len(WORDS))
            self.rnn_type = "LSTM"
            self.nhid, self.nlayers = 6, 2

        def forward(self, ids: torch.Tensor) -> torch.Tensor:
            hidden: torch.Tensor = self.decoder(self.rnn(self.drop(self.encoder(ids)))[0])
            return hidden

    RNNModel.__module__, RNNModel.__qualname__ = "model", "RNNModel"
    torch.manual_seed(1)
    return RNNModel().eval()


def write(folder: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, nn.Module]:
    module = published_module()
    theirs = ModuleType("model")
    theirs.RNNModel = type(module)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "model", theirs)
    path = folder / "hidden650.pt"
    match what:
        case "weights":
            torch.save(module.state_dict(), path)
        case "module":
            torch.save(module, path)
        case "old module":
            torch.save(module, path, _use_new_zipfile_serialization=False)
    monkeypatch.delitem(sys.modules, "model")
    (folder / "vocab.txt").write_text("\n".join(WORDS), encoding="utf-8")
    return path, module


@pytest.mark.parametrize("what", ["weights", "module", "old module"])
@pytest.mark.filterwarnings("ignore:Couldn't retrieve source code")
def test_the_published_layout_is_read(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path, module = write(tmp_path, what, monkeypatch)
    model = load_model(f"grnn:{path}")
    assert model.card.bos == "<eos>"
    check_model(model, vocabulary_size=len(WORDS))
    scores = score_texts(model, ["The keys are lost."])
    ids = [WORDS.index(word) for word in ("<eos>", "The", "keys", "are", "<unk>", ".")]
    with torch.no_grad():
        logs = torch.log_softmax(module(torch.tensor(ids)[:-1, None])[:, 0], dim=-1)
    expected = -logs[torch.arange(5), torch.tensor(ids[1:])].numpy() / np.log(2)
    np.testing.assert_allclose(scores.bits, expected, atol=1e-5)
    assert [token.known for token in scores.encoded.tokens(0)] == [True, True, True, False, True]


class Malicious:
    def __reduce__(self) -> Any:
        return (Path.touch, (Path("harm"),))


def test_code_in_a_file_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    torch.save({"encoder.weight": Malicious()}, tmp_path / "model.pt")
    (tmp_path / "raw.pt").write_bytes(pickle.dumps(Malicious()))
    for name in ("model.pt", "raw.pt"):
        with pytest.raises(InputError, match="holds more than the weights of an LSTM") as error:
            load_model(f"grnn:{tmp_path / name}")
        assert f"torch.load('{name}'" in str(error.value)
    assert not (tmp_path / "harm").exists()


def test_other_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, _ = write(tmp_path, "weights", monkeypatch)
    (tmp_path / "vocab.txt").write_text("a b c", encoding="utf-8")
    refused(r"vocab.txt has 3 words, the model 7", load_model, f"grnn:{path}")
    (tmp_path / "vocab.txt").unlink()
    refused(r"put vocab.txt beside the weights", load_model, f"grnn:{path}")
    torch.save({"weight": torch.ones(2)}, path)
    refused("encoder, rnn, decoder", load_model, f"grnn:{path}")
    torch.save([1, 2], path)
    refused("holds list", load_model, f"grnn:{path}")
    path.write_bytes(b"nothing")
    refused("damaged", load_model, f"grnn:{path}")
    refused("cannot be read", load_model, f"grnn:{tmp_path / 'absent.pt'}")
