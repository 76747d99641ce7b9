"""Options that several commands share."""

from typing import Annotated

import typer

from gardenpath.commands.spec_options import field_option
from gardenpath.runs import spec
from gardenpath.runs.spec import RunSpec
from gardenpath.text import reading
from gardenpath.training.specs.parts import TextLayout, WordSplitting

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines instead of a table.")]
Layout = Annotated[reading.Layout, field_option(TextLayout, "layout")]
Split = Annotated[reading.Split, field_option(WordSplitting, "split")]
Join = Annotated[spec.Join, field_option(RunSpec, "join")]
Beam = Annotated[str, field_option(RunSpec, "beam")]
ColumnMap = Annotated[str | None, field_option(RunSpec, "columns")]
