"""What several tests need."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from small_models import save_tiny, tiny_gpt2, tiny_llama

# There is no hub in tests: what is not there is said at once, not after many tries.
os.environ.setdefault("HF_HUB_OFFLINE", "1")

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATHS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)

# How long an example takes says nothing on a busy machine.
settings.register_profile("gardenpath", deadline=None)
settings.load_profile("gardenpath")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fuzz-minutes", type=float, help="how long damaged files are tried (tests/test_fuzz.py)")
    parser.addoption("--fuzz-seed", type=int, default=0, help="the seed of the damage")
    parser.addoption(
        "--record", action="store_true", help="keep what documentation prints (tests/test_documentation.py)"
    )


@pytest.fixture(scope="session")
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache directory of all tests, in which the embedded model is converted once."""
    base = tmp_path_factory.getbasetemp()
    # Each process of pytest-xdist has a folder of its own in that of the test session.
    return (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"


@pytest.fixture(autouse=True)
def own_cache(shared_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's store out of tests."""
    if "GARDENPATH_CACHE" not in os.environ:
        monkeypatch.setenv("GARDENPATH_CACHE", str(shared_cache))


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """Products are tiny: several threads would only wait for one another."""
    import torch  # late: the tests of the light core run without it

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
    from small_training import write_texts

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GARDENPATH_CACHE", str(tmp_path / "cache"))
    write_texts(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, driven by Playwright; for one module only, since its event loop would be in the way of others."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    found = next((path for path in map(shutil.which, PROGRAMS) if path), None)
    found = found or next((path for path in PATHS if Path(path).exists()), None)
    if found is None:
        pytest.skip("needs Chromium; on Debian: apt-get install chromium")
    # Chromium's sandbox needs rights that containers often lack; the pages opened here are our own.
    sandbox = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
    with playwright.sync_playwright() as started:
        try:
            opened = started.chromium.launch(executable_path=found, args=sandbox)
        except playwright.Error as error:
            pytest.skip(f"needs a Chromium that starts: {str(error).splitlines()[0]}")
        yield opened
        opened.close()
