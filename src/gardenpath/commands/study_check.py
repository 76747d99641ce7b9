"""`gardenpath study check`: the balance of a study, counted again from its lists."""

from pathlib import Path
from typing import Annotated

import typer

from gardenpath.commands.options import AsJson
from gardenpath.commands.terminal import out, print_json, print_line, print_notes


def check_study(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a study.")], *, as_json: AsJson = False
) -> None:
    """Prove the balance of a study: conditions, sides and orders of all lists; exit code 2 if there is a problem."""
    from gardenpath.human.balance import check_balance
    from gardenpath.human.balance_text import balance_table, state_facts
    from gardenpath.human.folder import read_study

    study = read_study(folder)
    balance = check_balance(study)
    facts = state_facts(study, balance)
    if as_json:
        print_json({"title": study.spec.title, "materials": study.digest, "facts": facts, **balance.record()})
    else:
        out.print(balance_table(study, balance))
        for fact in facts:
            print_line(fact, to=out)
        print_notes(balance.notes)
        for problem in balance.problems:
            print_line(problem, label="problem:", style="bold red")
    raise typer.Exit(2 if balance.problems else 0)
