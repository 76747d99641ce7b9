"""Models of transformers that are not there: paths that do not exist, a hub that does not answer."""

import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from gardenpath.errors import InputError
from gardenpath.io.near_paths import suggest_path
from gardenpath.models.load import load_model
from gardenpath.models.pretrained import find_model
from gardenpath.models.pretrained.find_model import require_model
from small_hub import cache_revision, offline, write_hub

pytest.importorskip("transformers")
constants = pytest.importorskip("huggingface_hub.constants")
NOBODY = "http://127.0.0.1:9"
"""An address at which no hub answers."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty local cache, and a folder with a neighbour of the names below."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nowhere").mkdir()
    return tmp_path


@pytest.mark.parametrize("kind", ["hf", "mlm", "mntp", "s2s"])
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("./nothere", r"^\./nothere is not a folder; did you mean './nowhere'\?; name a folder written by"),
        ("~/no such folder/x", "^~/no such folder/x is not a folder; name a folder"),
        ("a/b/c", "^a/b/c is not a folder; name a folder"),
        ("two words", "^two words is not a folder; name a folder"),
    ],
)
def test_paths_that_do_not_exist_are_refused(kind: str, name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_model(f"{kind}:{name}")


def test_the_home_folder_is_found(llama_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(llama_folder.parent))
    assert load_model(f"hf:~/{llama_folder.name}").card.name == f"hf:~/{llama_folder.name}"


def test_folders_of_trained_models_that_do_not_exist(here: Path) -> None:
    (here / "models" / "lstm-1").mkdir(parents=True)
    with pytest.raises(InputError, match=r"^\./nothere does not exist; did you mean './nowhere'"):
        load_model("./nothere")
    with pytest.raises(InputError, match=r"^models/lstm does not exist; did you mean 'models/lstm-1'"):
        load_model("models/lstm")
    with pytest.raises(InputError, match=r"^unknown model spec 'org/name' .a model of transformers is 'hf:org/name'"):
        load_model("org/name")


def test_a_name_of_the_hub_that_is_not_in_the_cache(here: Path) -> None:
    with pytest.raises(InputError, match=r"HF_HUB_OFFLINE is set.*models--gpt2\).*or unset HF_HUB_OFFLINE"):
        load_model("hf:gpt2")
    files = here / "files"
    files.mkdir()
    (files / "config.json").write_text("{}", encoding="utf-8")
    cache_revision(here / "hub", "org/name", "main", files)
    require_model("org/name", "hf")
    (here / "ckpts" / "chck_1M").mkdir(parents=True)
    with pytest.raises(
        InputError, match=r"^there is no folder ckpts/chck_9M; did you mean 'ckpts/chck_1M'\?; as a mod"
    ):
        require_model("ckpts/chck_9M", "hf")
    with pytest.raises(InputError, match=r"^hf:org/name@step1: the hub cannot be reached"):
        require_model("org/name@step1", "hf")


def test_what_is_beside_a_missing_path(here: Path) -> None:
    assert suggest_path("nothere") == "; did you mean 'nowhere'?"
    assert suggest_path("./nothere/") == "; did you mean './nowhere'?"
    assert suggest_path("zebra") == ""
    assert suggest_path("zoo/zebra") == ""


def test_a_slow_hub_has_the_seconds_that_the_user_sets(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            time.sleep(0.5)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setattr(constants, "ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(find_model, "PATIENCE", 0.05)
        monkeypatch.delenv(find_model.PATIENCE_VARIABLE, raising=False)
        find_model.ask_hub.cache_clear()
        with pytest.raises(InputError, match=r"cannot be reached .*HF_HUB_ETAG_TIMEOUT=30 waits for 30 seconds"):
            require_model("org/other", "hf")
        monkeypatch.setenv(find_model.PATIENCE_VARIABLE, "20")
        monkeypatch.setattr(constants, "HF_HUB_ETAG_TIMEOUT", 20)
        find_model.ask_hub.cache_clear()
        require_model("org/other", "hf")
        server.shutdown()
    find_model.ask_hub.cache_clear()


def test_a_model_of_which_the_cache_has_a_part(here: Path) -> None:
    cache = write_hub(here / "hub", "org/name", ["main"])
    (weights,) = cache.glob("*/snapshots/*/model.safetensors")
    weights.unlink()
    with pytest.raises(InputError, match=r"only the local cache was read, since the hub cannot be reached: HF_HUB_OFF"):
        load_model("hf:org/name")


def test_without_a_network_the_cache_is_read_and_all_else_refused_soon(here: Path) -> None:
    """In a process of its own: the library reads its settings when it is imported."""
    cache = write_hub(here / "hub", "org/name", ["main"])
    environment = {name: value for name, value in offline(cache).items() if name != "HF_HUB_OFFLINE"}

    def score(model: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "gardenpath", "score", model, "the key"]
        own = {"HF_ENDPOINT": NOBODY, "XDG_CACHE_HOME": str(here / "cache"), "COLUMNS": "1000"}
        return subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=here, env={**environment, **own}
        )  # fmt: skip

    started = time.monotonic()
    refused = score("hf:org/other")
    # The library alone waits for 23 s; what is left is the start of Python, on a busy machine.
    assert time.monotonic() - started < 20
    assert refused.returncode == 2
    assert refused.stderr.startswith("error: hf:org/other: the hub cannot be reached (")
    assert refused.stderr.count("\n") == 1
    assert "load the model once with a network connection" in refused.stderr
    cached = score("hf:org/name")
    assert (cached.returncode, cached.stderr) == (0, "")
    assert cached.stdout.startswith("sentence\ttoken\ttext")
