"""The way of the data: imports point one way, and torch stays behind the door that needs it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gardenpath

ROOT = Path(gardenpath.__file__).parent
ROOMS = [
    "errors", "io", "text", "trees", "suites", "models", "scoring", "evaluation", "statistics", "auditing", "runs",
    "training", "reporting", "commands", "__main__",
]  # fmt: skip
"""From the ground floor up; a room imports only those below it (suites and models do not know each other)."""


def imports(path: Path) -> set[str]:
    """The rooms of gardenpath a module imports, anywhere in it."""
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
    room = path.relative_to(ROOT).parts[0].removesuffix(".py")
    if room == "__init__":
        return
    allowed = set(ROOMS[: ROOMS.index(room) + 1])
    if room == "models":
        allowed -= {"suites"}
    if room == "training":
        allowed -= {"scoring", "evaluation", "statistics", "auditing", "runs"}
    assert imports(path) <= allowed


@pytest.mark.parametrize(
    "module", ["gardenpath", "gardenpath.commands.app", "gardenpath.runs.spec", "gardenpath.suites.catalog"]
)
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


@pytest.mark.parametrize("path", sorted((ROOT / "statistics").rglob("*.py")), ids=lambda path: path.stem)
def test_statistics_read_no_files(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
            assert not names & {"pathlib", "csv", "tomllib", "gardenpath.suites.catalog", "gardenpath.suites.load"}
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert called not in {"open", "read_text", "read_csv", "read_parquet", "scan_parquet"}
