"""`train`: a model, or a series of models, from one call."""

from pathlib import Path
from typing import Any, get_type_hints

import pytest
import torch

from gardenpath.errors import InputError
from gardenpath.models.trained.checkpoint import read_tensors
from gardenpath.models.trained.checkpoint_record import WEIGHTS
from gardenpath.training import events
from gardenpath.training.series import series_members
from gardenpath.training.specs.architectures import SPECS, LstmSpec, NgramSpec
from gardenpath.training.specs.fields import TrainFields
from gardenpath.training.train import TrainedModel, train
from test_cli import gardenpath_command

LSTM: Any = {"preset": "small", "width": 8, "batch": 4, "steps": 5, "min_count": 1, "budget": "2 epochs"}
pytestmark = pytest.mark.filterwarnings("ignore::gardenpath.errors.InputWarning")  # short texts have no discounts


def test_keyword_arguments_are_the_fields_of_the_specifications() -> None:
    assert get_type_hints(TrainFields).keys() == {name for spec in SPECS.values() for name in spec.model_fields}


def test_an_ngram_model(texts: Path) -> None:
    model = train("ngram", corpus="train.txt", valid="valid.txt", order=3, out="models/3gram")
    assert (model.path, str(model), model.kind) == (Path("models/3gram"), "models/3gram", "ngram")
    assert model.perplexity == model.record["training"]["perplexity"] > 1
    assert model.record["training"]["spec"]["order"] == 3
    assert model.load().card.name == "models/3gram"


def test_an_lstm_and_its_events(texts: Path) -> None:
    found: list[events.Event] = []
    model = train("lstm", corpus="train.txt", valid="valid.txt", out="model", on_event=found.append, **LSTM)
    assert model.kind == "lstm"
    steps = [event for event in found if isinstance(event, events.Step)]
    assert [step.epoch for step in steps if step.validation] == [1, 2]
    assert events.TrainingFinished(Path("model"), len(steps), "2 epochs") in found
    assert [event.words for event in found if isinstance(event, events.CorpusRead)] == [400, 80]
    spec = LstmSpec.from_fields(model.record["training"]["spec"])
    resumed = train(spec, budget="3 epochs", on_event=found.append)
    assert [step.epoch for step in found if isinstance(step, events.Step) and step.validation] == [1, 2, 3]
    assert resumed.record["training"]["spec"]["budget"] == "3 epochs"


def test_the_command_line_is_a_view(texts: Path) -> None:
    train("lstm", corpus="train.txt", valid="valid.txt", out="called", **LSTM)
    options = [part for name, value in LSTM.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    command = ("train", "lstm", "--corpus", "train.txt", "--valid", "valid.txt", "--out", "typed", *options)
    assert gardenpath_command(*command).returncode == 0
    (texts / "spec.toml").write_text(gardenpath_command(*command, "--print-spec").stdout, encoding="utf-8")
    assert gardenpath_command("train", "lstm", "--spec", "spec.toml", "--out", "read").returncode == 0
    weights = [read_tensors(texts / name / WEIGHTS)[1] for name in ("called", "typed", "read")]
    for other in weights[1:]:
        assert all(torch.equal(weights[0][name], other[name]) for name in weights[0])


def test_a_series_is_a_list_of_specifications(texts: Path) -> None:
    found: list[events.Event] = []
    fields: Any = {"corpus": "train.txt", "valid": "valid.txt", "order": 2, "sizes": [80, "160"], "samples": 2}
    series = train("ngram", **fields, out="curve", on_event=found.append)
    assert [member.path.name for member in series.members] == ["80-1", "80-2", "160-1", "160-2"]
    assert len([event for event in found if isinstance(event, events.MemberFinished)]) == 4
    assert (series.kind, series.perplexity, len(series.record["models"])) == ("ngram", None, 4)
    members = [member.spec for member in series_members(NgramSpec.from_fields({**fields, "out": "curve"}))]
    assert [member.seed for member in members] == [1, 2, 1, 2]
    alone = train(members[3], out="alone")
    same = (TrainedModel(Path("curve/160-2")), alone)
    first, second = (model.record["training"]["weights"] for model in same)
    assert first == second


def test_what_cannot_be_trained(texts: Path) -> None:
    with pytest.raises(InputError, match=r"unknown architecture 'elman'; choose from ngram, lstm, gpt2"):
        train("elman", corpus="train.txt", out="model")
    with pytest.raises(InputError, match=r"unknown field 'order'"):
        train("lstm", corpus="train.txt", valid="valid.txt", order=3, out="model")
    assert not Path("model").exists()
