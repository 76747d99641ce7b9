"""What several tests need."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hypothesis import settings

from small_models import save_tiny, tiny_gpt2, tiny_llama
from small_training import write_texts

# There is no hub in tests: what is not there is said at once, not after many tries.
os.environ.setdefault("HF_HUB_OFFLINE", "1")

# How long an example takes says nothing on a busy machine.
settings.register_profile("gardenpath", deadline=None)
settings.load_profile("gardenpath")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-minutes", type=float, help="how long damaged files are tried (tests/test_fuzz.py)")
    parser.addoption("--fuzz-seed", type=int, default=0, help="the seed of the damage")


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's store out of tests; the converted embedded model is shared between them."""
    if "GARDENPATH_CACHE" not in os.environ:
        monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """Products are tiny: several threads would only wait for one another."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.fixture(scope="session")
def llama_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("llama"), tiny_llama())


@pytest.fixture(scope="session")
def gpt2_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny(tmp_path_factory.mktemp("gpt2"), tiny_gpt2())


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_thread: None) -> Path:
    """The working directory: a corpus of 400 words and a held-out text of 80, and a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    write_texts(tmp_path)
    return tmp_path
