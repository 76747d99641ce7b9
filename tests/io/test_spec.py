"""Specifications: one declaration, of which keyword arguments, TOML and command line are views."""

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import pytest
import typer
from pydantic import Field
from typer.testing import CliRunner

from gardenpath.commands.spec_options import command_for
from gardenpath.errors import InputError
from gardenpath.io.spec import Flag, Spec


class Bake(Spec):
    """How a cake is baked."""

    flours: Annotated[tuple[str, ...], Flag("--flour", "-f")] = ("wheat",)
    """A flour; may be repeated."""
    eggs: Annotated[int, Field(ge=0)] = 2
    """Eggs that go in."""
    heat: Literal["low", "high"] = "low"
    """How hot the oven is."""
    out: Annotated[Path | None, Flag("--out", "-o", changes_results=False)] = None
    """Where the cake is put."""
    preset: str = "plain"
    """Which recipe to start from."""

    PRESETS: ClassVar = {"plain": {}, "rich": {"eggs": 6, "heat": "high"}}


def bake(spec: Bake, *, twice: Annotated[bool, typer.Option("--twice", help="Bake two.")] = False) -> None:
    """Bake a cake."""
    print(spec.flours, spec.eggs, spec.heat, twice)  # noqa: T201 - what the command shows


APP = typer.Typer()
APP.command()(command_for(Bake, bake))


def test_toml_is_read_back_as_written(tmp_path: Path) -> None:
    spec = Bake.from_fields({"flours": ["rye", 'w\u00ebizen "fine"'], "eggs": 3})
    path = tmp_path / "bake.toml"
    path.write_text(spec.to_toml(), encoding="utf-8")
    assert Bake.from_toml(path, {}) == spec
    assert Bake.from_toml(path, {"eggs": 4}).eggs == 4


def test_a_preset_gives_way_to_fields_that_are_given() -> None:
    assert Bake.from_fields({"preset": "rich"}).eggs == 6
    assert Bake.from_fields({"preset": "rich", "eggs": 1}).heat == "high"
    assert Bake.from_fields({"preset": "rich", "eggs": 1}).eggs == 1


def test_only_what_changes_results_changes_the_digest() -> None:
    plain = Bake.from_fields({})
    assert plain.digest() == Bake.from_fields({"out": "cakes"}).digest()
    assert plain.digest() != Bake.from_fields({"eggs": 1}).digest()
    assert plain.digest() != plain.digest(flours="0123")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"egs": 1}, "unknown field 'egs'. Did you mean 'eggs'?"),
        ({"eggs": -1}, "eggs is -1; it must be at least 0"),
        ({"heat": "tepid"}, "heat is 'tepid'; it must be 'low' or 'high'"),
        ({"eggs": "many"}, "eggs is 'many'; it must be a whole number"),
    ],
)
def test_invalid_fields_are_named(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError) as error:
        Bake.from_fields(fields)
    assert message in str(error.value)


def test_an_unknown_key_of_a_file_is_named_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "bake.toml"
    path.write_text("eggs = 1\nheet = 'low'\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2: unknown field 'heet'. Did you mean 'heat'"):
        Bake.from_toml(path, {})


def test_the_command_line_is_a_view(tmp_path: Path) -> None:
    runner = CliRunner()
    shown = runner.invoke(APP, ["-f", "rye", "--flour", "oat", "--eggs", "5", "--twice"])
    assert shown.output == "('rye', 'oat') 5 low True\n"
    path = tmp_path / "bake.toml"
    path.write_text(runner.invoke(APP, ["--eggs", "5", "--print-spec"]).output, encoding="utf-8")
    assert runner.invoke(APP, ["--spec", str(path), "--heat", "high"]).output == "('wheat',) 5 high False\n"
    described = runner.invoke(APP, ["--help"]).output
    assert "Eggs that go in." in described
    assert "--flour" in described
