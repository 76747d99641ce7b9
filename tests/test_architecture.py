"""Imports point one way, heavy packages stay where they are needed, functions and modules stay small."""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import gardenpath
from gardenpath.io.extras import EXTRAS

ROOT = Path(gardenpath.__file__).parent
ROOMS = [
    "errors", "io", "text", "trees", "suites", "models", "scoring", "evaluation", "statistics", "auditing", "runs",
    "training", "human", "reporting", "experiments", "commands", "__main__",
]  # fmt: skip
"""From the ground floor up; a room imports only those below it (suites and models do not know each other)."""
MODULES = sorted(ROOT.rglob("*.py"))
MOST_LINES, MOST_LINES_OF_A_COMMAND, MOST_LINES_OF_A_FUNCTION = 300, 99, 40


def name_of(path: Path) -> str:
    """A module as messages and exceptions name it."""
    return path.relative_to(ROOT).as_posix()


@cache
def parse(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def nodes(paths: Iterable[Path]) -> Iterator[tuple[Path, ast.AST]]:
    """Every node of the syntax trees of modules, each with its module."""
    return ((path, node) for path in paths for node in ast.walk(parse(path)))


def imports(path: Path) -> set[str]:
    """The rooms of gardenpath a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(parse(path)):
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith("gardenpath."):
                found.add(module.split(".")[1])
            case ast.Import(names=names):
                found |= {name.name.split(".")[1] for name in names if name.name.startswith("gardenpath.")}
    return found


def test_imports_point_one_way() -> None:
    for path in MODULES:
        room = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if room == "__init__":
            continue
        allowed = set(ROOMS[: ROOMS.index(room) + 1])
        if room == "models":
            allowed -= {"suites"}
        if room == "training":
            allowed -= {"scoring", "evaluation", "statistics", "auditing", "runs"}
        assert imports(path) <= allowed, name_of(path)


@pytest.mark.parametrize(
    "module", ["gardenpath", "gardenpath.commands.app", "gardenpath.runs.spec", "gardenpath.suites.catalog"]
)
def test_core_does_not_import_torch(module: str) -> None:
    code = f"import {module}, sys; assert not {{'torch', 'transformers', 'polars', 'scipy'}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_only_models_and_training_import_their_packages() -> None:
    elsewhere = [path for path in MODULES if path.relative_to(ROOT).parts[0] not in ("models", "training")]
    for path, node in nodes(elsewhere):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
        assert not {name.split(".")[0] for name in names} & {*EXTRAS["models"], *EXTRAS["ngram"]}, name_of(path)


def length(function: ast.FunctionDef | ast.AsyncFunctionDef, path: Path) -> int:
    """The lines of a function without its docstring; of a command also without its signature, a table of options."""
    body = function.body[ast.get_docstring(function) is not None :]
    if not body:
        return 1
    last = body[-1].end_lineno or 0
    if path.parent.name == "commands":
        return last - body[0].lineno + 1
    documented = function.body[0].end_lineno or 0
    docstring = documented - function.body[0].lineno + 1 if len(body) < len(function.body) else 0
    return last - function.lineno + 1 - docstring


def test_modules_and_functions_are_small() -> None:
    for path in MODULES:
        most = MOST_LINES_OF_A_COMMAND if path.parent.name == "commands" else MOST_LINES
        assert len(path.read_text(encoding="utf-8").splitlines()) <= most, name_of(path)
        functions = [node for node in ast.walk(parse(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        long = [function.name for function in functions if length(function, path) > MOST_LINES_OF_A_FUNCTION]
        assert not long, name_of(path)


def test_no_public_name_is_a_room() -> None:
    assert not set(getattr(gardenpath, "__all__", ())) & set(ROOMS)


def test_statistics_read_no_files() -> None:
    files, readers = {"pathlib", "csv", "tomllib"}, {"open", "read_text", "read_csv", "read_parquet", "scan_parquet"}
    statistics = [path for path in MODULES if path.is_relative_to(ROOT / "statistics")]
    for path, node in nodes(statistics):
        if isinstance(node, ast.ImportFrom | ast.Import):
            names = {alias.name for alias in node.names} | {getattr(node, "module", None)}
            assert not names & (files | {"gardenpath.suites.catalog", "gardenpath.suites.load"}), name_of(path)
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            assert called not in readers, name_of(path)


def test_every_file_goes_through_the_one_writer() -> None:
    """Only what `atomic_write` or `claim_folder` yields, called `scratch` or `fresh`, is written to directly."""
    writers = {"write_text", "write_bytes", "write_parquet", "save_pretrained"}
    for path, node in nodes(MODULES):
        match node:
            case ast.Call(func=ast.Attribute(attr=str(name), value=written)) if name in writers:
                written = node.args[0] if name in ("write_parquet", "save_pretrained") else written
            case ast.Call(func=ast.Attribute(attr="open", value=written), args=[ast.Constant(value=str(mode)), *_]) if (
                mode[0] in "wax"
            ):
                pass
            case _:
                continue
        assert any(name in ast.unparse(written) for name in ("scratch", "fresh")), f"{name_of(path)}:{node.lineno}"
