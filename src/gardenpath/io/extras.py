"""Packages that come with an extra, such as `gardenpath[models]`, and the message that names the one missing."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from gardenpath.errors import InputError

EXTRAS = {
    "models": ("torch", "transformers", "tokenizers", "safetensors", "gguf", "accelerate"),
    "ngram": ("kenlm",),
    "tables": ("fastexcel", "xlsxwriter"),
    "pandas": ("pandas", "pyarrow"),
    "serve": ("starlette", "uvicorn"),
    "postgres": ("psycopg",),
    "experiments": ("snakemake", "snakemake_executor_plugin_slurm"),
}
"""The packages of each extra, as pyproject.toml declares them."""
SPELLINGS = {"torch": "PyTorch", "kenlm": "KenLM"}
"""Packages that are known by another name than the one they are imported by."""
KENLM_BUILDS_BEFORE = (3, 13)
"""The version of Python from which on pyproject.toml leaves KenLM out."""


def require_package(name: str) -> None:
    """Raise what an import of a missing package raises, without the seconds that importing it takes."""
    if find_spec(name) is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@contextmanager
def require_extras(what: str) -> Iterator[None]:
    """Raise an `InputError` that names the extra to install when `what` needs a package that is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        extra = next((extra for extra, packages in EXTRAS.items() if package in packages), None)
        if extra is None:
            raise
        remedy = f"which is not installed: pip install 'gardenpath[{extra}]'"
        if package == "kenlm" and sys.version_info >= KENLM_BUILDS_BEFORE:
            remedy = (
                "whose release does not build for Python 3.13 and newer: use Python 3.12, or build it with "
                "tools/kenlm.sh of gardenpath's source"
            )
        raise InputError(f"{what} needs {SPELLINGS.get(package, package)}, {remedy}") from error
