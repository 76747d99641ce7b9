"""A faulty server never leads to a wrong number: it is refused, or asked again until the number is right."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import count

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faulty_server import BOS, Behaviour, right_bits, serving
from gardenpath.errors import InputError
from gardenpath.models.conformance import CHECK_SENTENCES, check_model
from gardenpath.models.served.http_client import Patience, UnavailableServerError
from gardenpath.models.served.load_served import ServedModel, load_served
from gardenpath.models.served.probe import LEAST_NOISE, MOST_NOISE

PATIENCE = Patience(tries=10, timeout=0.5, first_wait=0.002, longest_wait=0.01)
KINDS = ["vllm", "echo", "sglang", "tgi"]


def require_right(model: ServedModel, texts: Sequence[str] = CHECK_SENTENCES) -> None:
    _, bits = model.score(texts)
    expected = right_bits(texts, bos=model.card.bos is not None)
    np.testing.assert_allclose(bits, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("adds_bos", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_every_protocol_gives_the_bits_of_the_model(kind: str, adds_bos: bool) -> None:
    with serving(Behaviour(kind, adds_bos=adds_bos)) as rest:
        model = load_served(rest, patience=PATIENCE)
        assert model.card.bos == (BOS if adds_bos else None)
        require_right(model)
        check_model(model)


@pytest.mark.parametrize("kind", ["vllm", "echo", "sglang"])
def test_a_first_symbol_is_sent_and_its_own_bits_are_not_counted(kind: str) -> None:
    with serving(Behaviour(kind)) as rest:
        model = load_served(rest, bos=BOS, patience=PATIENCE)
        assert model.card.bos == BOS
        require_right(model)


def test_llama_cpp_python_needs_its_first_symbol() -> None:
    """It lists numbers one off without it; with it, it hides the symbol and gives the first token no number."""
    behaviour = Behaviour("echo", needs_bos=True, hides_bos=True, singly=True)
    with serving(behaviour) as rest:
        with pytest.raises(InputError, match=r"beside the wrong tokens.*--bos"):
            load_served(rest, patience=PATIENCE)
        model = load_served(rest, bos=BOS, patience=PATIENCE)
        assert (model.reading.first, model.reading.batch) == ("forced", 1)
        require_right(model)
        check_model(model)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("null", "cannot score texts"),
        ("off by one", "beside the wrong tokens"),
        ("one early", "beside the wrong tokens|goes on differently"),
        ("cut", "cut the text|as the tokens"),
        ("certain", "probability 0 or 1"),
    ],
)
def test_wrong_log_probabilities_are_refused(kind: str, fault: str, message: str) -> None:
    with (
        serving(Behaviour(kind, adds_bos=kind == "tgi", fault=fault)) as rest,
        pytest.raises(InputError, match=message),
    ):
        load_served(rest, patience=PATIENCE)


@pytest.mark.parametrize(("kind", "fault"), [("echo", "ignored echo"), ("tgi", "ignored echo"), ("llama.cpp", "")])
def test_servers_that_score_generated_tokens_only_are_refused(kind: str, fault: str) -> None:
    with serving(Behaviour(kind, fault=fault)) as rest, pytest.raises(InputError, match="cannot score texts") as found:
        load_served(rest, patience=PATIENCE)
    assert ("it is llama.cpp's own server" in str(found.value)) == (kind == "llama.cpp")
    assert "servers that do are vLLM" in str(found.value)


@pytest.mark.parametrize("kind", ["vllm", "echo", "sglang"])
def test_numbers_that_depend_on_the_batch_are_refused(kind: str) -> None:
    with serving(Behaviour(kind, fault="batch")) as rest, pytest.raises(InputError, match="other texts are sent with"):
        load_served(rest, patience=PATIENCE)


def test_small_differences_between_batches_become_the_threshold_of_ties() -> None:
    with serving(Behaviour("vllm", fault="noise")) as rest:
        model = load_served(rest, patience=PATIENCE)
        _, alone = model.score(CHECK_SENTENCES[:1])
        _, together = model.score(CHECK_SENTENCES)
    difference = abs(np.nansum(alone) - np.nansum(together[: len(alone)]))
    assert LEAST_NOISE < difference <= model.card.noise <= 2 * MOST_NOISE


@pytest.mark.parametrize("kind", ["vllm", "echo"])
@pytest.mark.parametrize("fault", ["missing choice", "mixed up"])
def test_choices_that_are_not_those_of_the_prompts_are_refused(kind: str, fault: str) -> None:
    with serving(Behaviour(kind, fault=fault)) as rest, pytest.raises(InputError):
        load_served(rest, patience=PATIENCE)


def test_choices_may_come_in_any_order() -> None:
    with serving(Behaviour("echo", fault="other order")) as rest:
        model = load_served(rest, patience=PATIENCE)
        assert model.reading.batch > 1
        require_right(model)


@pytest.mark.parametrize("kind", ["vllm", "echo"])
@pytest.mark.parametrize("fault", ["null", "cut", "missing choice", "mixed up"])
def test_a_server_that_becomes_faulty_later_stops_the_run(kind: str, fault: str) -> None:
    behaviour = Behaviour(kind)
    with serving(behaviour) as rest:
        model = load_served(rest, patience=PATIENCE)
        behaviour.fault = fault
        with pytest.raises(InputError):
            model.score(CHECK_SENTENCES)
        behaviour.fault = ""
        require_right(model)


@pytest.mark.parametrize("failure", ["429", "500", "503", "reset", "half", "json", "slow", "choice"])
@pytest.mark.parametrize("kind", ["vllm", "echo"])
def test_failures_that_pass_are_waited_out(kind: str, failure: str) -> None:
    """Every third request fails; a slow answer is longer than the time-out."""
    behaviour = Behaviour(kind)
    with serving(behaviour) as rest:
        model = load_served(rest, patience=PATIENCE)
        numbers = count()
        behaviour.failing = lambda _number: failure if next(numbers) % 3 == 0 else ""
        require_right(model, [f"{text} {number}" for number in range(3) for text in CHECK_SENTENCES[:3]])


def test_a_storm_of_refusals_is_waited_out_while_loading() -> None:
    with serving(Behaviour("vllm", failing=lambda number: "429" if number % 2 else "")) as rest:
        require_right(load_served(rest, patience=PATIENCE))


@settings(max_examples=10)
@given(st.lists(st.sampled_from(["", "", "429", "502", "reset", "half", "json", "choice"]), min_size=1, max_size=40))
def test_any_sequence_of_failures_gives_right_numbers_or_an_error(failures: list[str]) -> None:
    behaviour = Behaviour("echo")
    with serving(behaviour) as rest:
        model = load_served(rest, patience=PATIENCE)
        left = iter(failures)
        behaviour.failing = lambda _number: next(left, "")
        with suppress(UnavailableServerError):  # too many in a row
            require_right(model)
        behaviour.failing = lambda _number: ""
        require_right(model)


@pytest.mark.parametrize("failure", ["500", "reset", "json", "slow"])
def test_the_last_try_ends_in_a_clear_error(failure: str) -> None:
    behaviour = Behaviour("echo")
    with serving(behaviour) as rest:
        model = load_served(rest, patience=PATIENCE)
        behaviour.failing = lambda _number: failure
        with pytest.raises(InputError, match=r"did not answer properly in \d+ tries.*kept in the store"):
            model.score(["A text that was not sent before."])


def test_no_server_at_all_is_a_clear_error() -> None:
    with serving(Behaviour()) as rest:
        pass
    with pytest.raises(InputError, match=r"did not answer properly.*refused"):
        load_served(rest, patience=PATIENCE)


def test_one_refused_text_is_named() -> None:
    behaviour = Behaviour("vllm")
    with serving(behaviour) as rest:
        model = load_served(rest, patience=PATIENCE)
        texts = ["She left.", "He stayed.", "They came."]
        model.tokenizer.encode(texts)
        bad = model.tokenizer.encode(texts).tokens(1)[0].id
        behaviour.failing = lambda number: (
            "400" if any(row[0] == bad for row in behaviour.bodies[number].get("prompt", [])) else ""
        )
        with pytest.raises(InputError, match="HTTP 400") as found:
            model.score(texts)
        assert found.value.number == 1  # type: ignore[attr-defined]
