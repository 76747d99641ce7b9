"""The examples in docstrings and in the documentation are true."""

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

import gardenpath.suites

MODULES = [module.name for module in pkgutil.walk_packages(gardenpath.suites.__path__, "gardenpath.suites.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_examples_in_the_documentation() -> None:
    page = Path(__file__).parents[2] / "docs/suites.md"
    result = doctest.testfile(str(page), module_relative=False, encoding="utf-8")
    assert result.attempted > 5
    assert result.failed == 0
