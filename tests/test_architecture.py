"""The way of the data: imports point one way, and torch stays behind the door that needs it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gardenpath

ROOT = Path(gardenpath.__file__).parent
STAGES = [
    "errors", "places", "suites", "models", "scoring", "evaluation", "statistics", "store", "report", "training",
    "pipeline", "commands", "cli", "__main__",
]  # fmt: skip
"""From the first stage to the last; a stage imports only those before it (suites and models do not know each other)."""


def imports(path: Path) -> set[str]:
    """The stages of gardenpath a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith("gardenpath."):
                found.add(module.split(".")[1])
            case ast.Import(names=names):
                found |= {name.name.split(".")[1] for name in names if name.name.startswith("gardenpath.")}
    return found


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    stage = path.relative_to(ROOT).parts[0].removesuffix(".py")
    if stage == "__init__":
        return
    allowed = set(STAGES[: STAGES.index(stage) + 1])
    if stage == "models":
        allowed -= {"suites"}
    if stage == "training":
        allowed = {"errors", "places", "suites", "models", "training"}
    if stage in ("cli", "__main__"):
        allowed -= {"training"}
    assert imports(path) <= allowed


@pytest.mark.parametrize("module", ["gardenpath", "gardenpath.cli", "gardenpath.pipeline", "gardenpath.suites.catalog"])
def test_core_does_not_import_torch(module: str) -> None:
    code = f"import {module}, sys; assert not {{'torch', 'transformers', 'polars', 'scipy'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_models_import_torch() -> None:
    for path in ROOT.rglob("*.py"):
        if path.relative_to(ROOT).parts[0] in ("models", "training"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
            assert not any(name.split(".")[0] == "torch" for name in names), path
