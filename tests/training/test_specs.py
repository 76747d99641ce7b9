"""Specifications of trainings: presets, what is refused, and that TOML loses nothing."""

import math
import tomllib
from typing import Any

import pytest

from gardenpath.errors import InputError
from gardenpath.training.specs.architectures import SPECS, Gpt2Spec, LstmSpec, NgramSpec
from gardenpath.training.specs.budget import Budget

FILES = {
    "corpus": "train.txt", "treebank": "train.mrg", "valid": "valid.txt", "supertags": "tags.txt",
    "valid_supertags": "valid-tags.txt", "out": "model",
}  # fmt: skip


def spec_of(architecture: str, **fields: Any) -> Any:
    spec = SPECS[architecture]
    return spec.from_fields({name: value for name, value in FILES.items() if name in spec.model_fields} | fields)


@pytest.mark.parametrize(
    ("architecture", "preset"), [(name, preset) for name in SPECS for preset in SPECS[name].PRESETS]
)
def test_toml_and_record_lose_nothing(architecture: str, preset: str) -> None:
    spec = spec_of(architecture, preset=preset)
    assert type(spec).from_fields(spec.record()) == spec
    assert type(spec).from_fields(tomllib.loads(spec.to_toml())) == spec


def test_none_is_kept_where_a_preset_has_a_value() -> None:
    spec = spec_of("lstm", patience=None, clip=None)
    assert (spec.patience, spec.clip) == (None, None)
    assert LstmSpec.from_fields(tomllib.loads(spec.to_toml())) == spec


def test_presets() -> None:
    hu, marvin = spec_of("lstm"), spec_of("lstm", preset="marvin-linzen")
    assert (hu.width, hu.batch, hu.patience, hu.vocabulary_size) == (256, 20, 5, None)
    assert (marvin.width, marvin.batch, marvin.patience, marvin.vocabulary_size) == (650, 128, None, 50_000)
    tiny = spec_of("lstm", preset="hu-chen-levy")
    assert (tiny.width, tiny.dropout, tiny.budget, tiny.patience) == (256, 0.3, Budget(40), None)
    shen = spec_of("on-lstm")
    assert (shen.optimizer, shen.schedule, shen.random_lengths) == ("nt-asgd", "constant", True)
    assert (shen.activation_penalty, shen.temporal_penalty) == (2.0, 1.0)
    assert spec_of("rnng").factor == 2.0
    assert spec_of("on-lstm").budget == Budget(1000)


def test_presets_size_sub_words_that_are_learned_and_no_others() -> None:
    assert spec_of("gpt2").vocabulary_size == 8_000
    assert spec_of("gpt2", vocabulary="words").vocabulary_size is None
    spec = spec_of("gpt2", vocabulary="words", vocabulary_size=9)
    assert Gpt2Spec.from_fields(spec.record()).vocabulary_size == 9


def test_sizes_are_text_or_a_list() -> None:
    for sizes in ("125k,250k", ["125k", "250k"], [125_000, 250_000]):
        assert spec_of("ngram", sizes=sizes).is_series
    assert not spec_of("ngram").is_series


def test_where_results_go_does_not_count() -> None:
    spec = spec_of("lstm", preset="small")
    for changed in ({"out": "other"}, {"device": "cpu"}, {"checkpoint_every": 5.0}):
        assert spec_of("lstm", preset="small", **changed).digest() == spec.digest()
    assert spec_of("lstm", preset="small", width=65).digest() != spec.digest()
    same = {name: value for name, value in spec.record().items() if name != "preset"}
    assert LstmSpec.from_fields(same).digest() == spec.digest()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"learning_rate": 0.0}, "learning_rate is 0.0"),
        ({"learning_rate": math.nan}, "learning_rate is nan"),
        ({"clip": -1.0}, "clip is -1"),
        ({"factor": 1.0}, "factor is 1.0"),
        ({"validations": 0}, "validations is 0"),
        ({"patience": 0}, "patience is 0"),
        ({"seed": -1}, "seed is -1"),
        ({"checkpoint_every": -1.0}, "checkpoint_every is -1"),
        ({"checkpoint_every": math.nan}, "checkpoint_every is nan"),
        ({"schedule": "inverse-sqrt"}, "warmup"),
        ({"dropout": 1.5}, "dropout is 1.5"),
        ({"budget": "soon"}, "budget 'soon' is not understood"),
        ({"sizes": "many"}, "'many' is not a number of tokens"),
        ({"sizes": "80,80"}, "give different numbers"),
        ({"samples": 2}, "Give them with --sizes"),
        ({"sections": "2-21"}, "--sections 2-21: texts have none; name a treebank and --layout trees"),
        ({"preset": "large"}, "preset is 'large'; it must be 'hu', 'hu-chen-levy', 'marvin-linzen' or 'small'"),
        ({"widht": 8}, "unknown field 'widht'. Did you mean 'width'"),
        ({"corpus": []}, "corpus is"),
    ],
)
def test_invalid_fields_are_refused(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        spec_of("lstm", **fields)
    assert message in str(error.value)


def test_missing_files_are_named() -> None:
    with pytest.raises(InputError, match=r"corpus \(--corpus\) is missing: Text to train on"):
        NgramSpec.from_fields({"out": "model"})
