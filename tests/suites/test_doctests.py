"""The examples in docstrings are true."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import gardenpath.suites

MODULES = [module.name for module in pkgutil.walk_packages(gardenpath.suites.__path__, "gardenpath.suites.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0
