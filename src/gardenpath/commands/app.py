"""The command line: all commands, and how errors are printed."""

import sys
import warnings
from typing import Annotated

import typer

from gardenpath import __version__
from gardenpath.commands.audit import audit
from gardenpath.commands.compare import compare
from gardenpath.commands.corpus import sample, stats
from gardenpath.commands.evaluate import evaluate
from gardenpath.commands.models import list_models
from gardenpath.commands.parse import parse_command
from gardenpath.commands.perplexity import perplexity
from gardenpath.commands.report import report
from gardenpath.commands.run import run
from gardenpath.commands.score import score
from gardenpath.commands.spec_options import command_for
from gardenpath.commands.suites import check, export, list_suites, show_suite
from gardenpath.commands.terminal import err, out, show_warning
from gardenpath.commands.train import train_command
from gardenpath.commands.train_help import HELP
from gardenpath.commands.treebank import parse, templates, trees
from gardenpath.errors import InputError, InputWarning
from gardenpath.io.extras import require_extras
from gardenpath.training.specs.corpora import (
    CorpusSampleSpec,
    CorpusStatisticsSpec,
    ParseTextSpec,
    TemplateTreesSpec,
    TreebankSpec,
)

app = typer.Typer(
    help="Find out what language models know about grammar: name a model and a suite of sentences, get a table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
suites_app = typer.Typer(help="List, show, check and export suites.", no_args_is_help=True)
corpus_app = typer.Typer(help="Sizes and samples of training corpora.", no_args_is_help=True)
train_app = typer.Typer(help="Train models on texts and treebanks.", no_args_is_help=True)
models_app = typer.Typer(help="How models are named.", no_args_is_help=True)

app.command("run")(run)
app.command("score")(score)
app.command()(evaluate)
app.command()(compare)
app.command()(report)
app.command("perplexity")(perplexity)
app.command()(audit)
app.command("parse")(parse_command)
suites_app.command("list")(list_suites)
suites_app.command("show")(show_suite)
suites_app.command("check")(check)
suites_app.command("export")(export)
corpus_app.command("stats")(command_for(CorpusStatisticsSpec, stats))
corpus_app.command("sample")(command_for(CorpusSampleSpec, sample))
corpus_app.command("trees")(command_for(TreebankSpec, trees))
corpus_app.command("templates")(command_for(TemplateTreesSpec, templates))
corpus_app.command("parse")(command_for(ParseTextSpec, parse))
for name in HELP:
    train_app.command(name)(train_command(name))
models_app.command("list")(list_models)
app.add_typer(suites_app, name="suites")
app.add_typer(corpus_app, name="corpus")
app.add_typer(train_app, name="train")
app.add_typer(models_app, name="models")


@app.callback(invoke_without_command=True)
def root(*, version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    """Find out what language models know about grammar: name a model and a suite of sentences, get a table."""
    if version:
        out.print(f"gardenpath {__version__}", highlight=False)
        raise typer.Exit


def main() -> None:
    """Run the command line; input that cannot be used ends with one message and exit code 2."""
    warnings.simplefilter("always", InputWarning)
    warnings.showwarning = show_warning
    try:
        with require_extras("this command"):
            app()
    except (InputError, OSError) as error:
        remedy = "" if isinstance(error, InputError) else "; check the path and the space left on the disk"
        err.print("[bold red]error:[/] ", end="")
        err.print(f"{error}{remedy}", markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
