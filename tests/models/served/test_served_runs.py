"""Runs with a served model: they resume, remember the server by what it computes, and keep its key secret."""

import logging
from pathlib import Path

import numpy as np
import pytest

import gardenpath as gp
from faulty_server import BOS, Behaviour, right_bits, serving
from gardenpath.errors import InputError
from gardenpath.models.served.address import KEY_VARIABLE, parse_address
from gardenpath.models.served.http_client import Patience
from gardenpath.models.served.load_served import load_served
from gardenpath.runs.store import Store
from gardenpath.runs.stored_scoring import score_with_store
from gardenpath.scoring.score import ScoreOptions
from small_models import byte_level_tokenizer

PATIENCE = Patience(tries=4, timeout=5, first_wait=0.002, longest_wait=0.01)
TEXTS = [
    f"The {adjective} {noun} laughs." for adjective in ("old", "young", "tall") for noun in ("man", "dog", "guard")
]
KEY = "sk-very-secret-4711"


@pytest.fixture(autouse=True)
def own_trials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))


def write_suite(folder: Path) -> Path:
    path = folder / "pairs.tsv"
    rows = [f"The {noun} laughs.\tThe {noun} laugh." for noun in ("man", "dog", "guard", "author")]
    path.write_text("good\tbad\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


def test_a_run_that_a_server_broke_off_resumes_where_it_stopped(tmp_path: Path) -> None:
    behaviour, options = Behaviour("vllm"), ScoreOptions(texts_per_batch=3)
    with serving(behaviour) as rest:
        model = load_served(rest, bos=BOS, patience=PATIENCE)
        model.tokenizer.encode(TEXTS)
        store = Store(tmp_path / "store.sqlite")
        first = behaviour.requests
        behaviour.failing = lambda number: "500" if number > first else ""  # after the first part
        with pytest.raises(InputError, match="did not answer properly"):
            score_with_store(model, TEXTS, [], options=options, store=store)
        behaviour.failing = lambda _number: ""
        again = load_served(rest, bos=BOS, patience=PATIENCE)  # as a new process would
        before = behaviour.scored
        scored = score_with_store(again, TEXTS, [], options=options, store=store)
        assert (behaviour.scored - before, scored.computed) == (6, 6)  # texts of two parts
        np.testing.assert_array_equal(
            np.sort(scored.scores.bits),
            np.sort(score_with_store(again, TEXTS, [], options=options, store=None).scores.bits),
        )
        np.testing.assert_allclose(scored.scores.bits, right_bits(TEXTS, bos=True), rtol=0, atol=1e-9)
        before = behaviour.scored
        assert score_with_store(again, TEXTS, [], options=options, store=store).computed == 0
        store.close()
        assert behaviour.scored == before
        store.close()


def test_other_weights_at_the_same_address_are_another_model() -> None:
    behaviour = Behaviour("vllm")
    with serving(behaviour) as rest:
        first = load_served(rest, patience=PATIENCE).card.fingerprint
        assert load_served(rest, patience=PATIENCE).card.fingerprint == first
        behaviour.seed = 1
        second = load_served(rest, patience=PATIENCE).card.fingerprint
        assert second != first
        behaviour.seed = 0
        assert load_served(rest, patience=PATIENCE).card.fingerprint == first
        assert load_served(rest, bos=BOS, patience=PATIENCE).card.fingerprint not in (first, second)


def test_noise_does_not_make_another_model() -> None:
    """Trials of one server that differ by rounding have one fingerprint, and the noise is never forgotten."""
    behaviour = Behaviour("vllm", fault="noise")
    with serving(behaviour) as rest:
        noisy = load_served(rest, patience=PATIENCE).card
        behaviour.fault = ""
        quiet = load_served(rest, patience=PATIENCE).card
    assert (quiet.fingerprint, quiet.noise) == (noisy.fingerprint, noisy.noise)
    assert noisy.noise > 1e-3


def test_the_whole_run_and_its_folder(tmp_path: Path) -> None:
    suite = write_suite(tmp_path)
    with serving(Behaviour("echo", adds_bos=True)) as rest:
        run = gp.run(models=f"api:{rest}", suites=suite, out=tmp_path / "run", store=tmp_path / "store.sqlite")
        assert run.outcomes().height == 4
        tokens = gp.read_run(tmp_path / "run").tokens()
    sentences = [f"The {noun} laugh{ending}." for noun in ("man", "dog", "guard", "author") for ending in ("s", "")]
    assert np.isclose(tokens["bits"].sum(), right_bits(sentences, bos=True).sum())


def test_the_key_is_sent_and_written_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    suite = write_suite(tmp_path)
    with serving(Behaviour("echo", adds_bos=True, key=KEY)) as rest:
        run = gp.run(models=f"api:{rest}", suites=suite, out=tmp_path / "run", store=tmp_path / "store.sqlite")
        monkeypatch.setenv(KEY_VARIABLE, KEY + "-wrong")
        with pytest.raises(InputError, match=r"HTTP 401.*\[key\]") as found:
            load_served(rest, patience=PATIENCE)
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) > 5
    assert not [path for path in written if KEY.encode() in path.read_bytes()]
    shown = "".join([*capfd.readouterr(), caplog.text, str(found.value), repr(run), str(run.manifest)])
    assert KEY not in shown


def test_a_server_that_redirects_gets_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    behaviour = Behaviour("vllm", failing=lambda _number: "302")
    with serving(behaviour) as rest, pytest.raises(InputError, match="HTTP 302"):
        load_served(rest, patience=PATIENCE)


@pytest.mark.parametrize(
    "rest", [f"http://user:{KEY}@127.0.0.1:1#m", f"http://{KEY}@127.0.0.1:1#m", f"https://127.0.0.1/v1?key={KEY}#m"]
)
def test_credentials_in_a_url_are_refused_and_not_repeated(rest: str) -> None:
    with pytest.raises(InputError, match=KEY_VARIABLE) as found:
        gp.load_model(f"api:{rest}")
    assert KEY not in str(found.value)


@pytest.mark.parametrize("rest", ["http://127.0.0.1", "http://127.0.0.1#", "ftp://host#m", "host:80#m", "#m"])
def test_addresses_that_name_no_server_or_model_are_refused(rest: str) -> None:
    with pytest.raises(InputError, match="write api:"):
        parse_address(rest)


def save_tokenizer(folder: Path) -> Path:
    from transformers import PreTrainedTokenizerFast

    PreTrainedTokenizerFast(tokenizer_object=byte_level_tokenizer(), bos_token=BOS).save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", ["vllm", "echo", "sglang", "tgi"])
def test_a_tokenizer_of_ones_own(kind: str, tmp_path: Path) -> None:
    """It cuts the texts as the server does; a text that the server reads in another way is refused."""
    folder = save_tokenizer(tmp_path / "tokenizer")
    with serving(Behaviour(kind, adds_bos=True)) as rest:
        model = load_served(f"{rest},tokenizer={folder}", patience=PATIENCE)
        assert model.card.bos == BOS
        _, bits = model.score(TEXTS)
        np.testing.assert_allclose(bits, right_bits(TEXTS, bos=True), rtol=0, atol=1e-9)
        if model.card.decisions["prompts"] == "texts":  # characters here, a symbol there
            with pytest.raises(InputError, match="the server"):
                model.score([f"The man {BOS} laughs."])


def test_the_tokenizer_of_another_model_is_refused(tmp_path: Path) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = ["[UNK]", *(f"w{number}" for number in range(200))]
    backend = Tokenizer(models.WordLevel({word: id_ for id_, word in enumerate(words)}, unk_token="[UNK]"))
    backend.pre_tokenizer = pre_tokenizers.Whitespace()
    PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]").save_pretrained(tmp_path / "other")
    with serving(Behaviour("vllm")) as rest, pytest.raises(InputError, match="tokens"):
        load_served(f"{rest},tokenizer={tmp_path / 'other'}", patience=PATIENCE)


def test_special_symbols_are_read_as_the_server_does(tmp_path: Path) -> None:
    with serving(Behaviour("vllm")) as rest, pytest.raises(InputError, match="decides about symbols"):
        gp.run(models=f"api:{rest}", suites=write_suite(tmp_path), special="symbols")


def test_requests_are_batched_and_sent_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    behaviour = Behaviour("vllm")
    with serving(behaviour) as rest:
        model = load_served(rest, patience=PATIENCE)
        model.tokenizer.encode(TEXTS)
        before = behaviour.requests
        model.score(TEXTS)
        assert behaviour.requests - before == 2  # 8 texts and 1
        assert behaviour.most_at_once == 8


@pytest.mark.parametrize(("name", "value"), [("GARDENPATH_API_TIMEOUT", "soon"), ("GARDENPATH_API_REQUESTS", "0")])
def test_wrong_settings_are_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with serving(Behaviour()) as rest, pytest.raises(InputError, match=name):
        load_served(rest)
