"""The balance of a study in sentences and in a table, as a methods section states it."""

from collections.abc import Iterable, Iterator, Sequence

from gardenpath.human.balance import Balance, CellBalance
from gardenpath.human.study import Study
from gardenpath.io.terminal_table import Column, TerminalTable


def state_facts(study: Study, balance: Balance) -> list[str]:
    """State what was counted, one fact a sentence."""
    spec = study.spec
    trials = span(one.trials for one in balance.lists)
    orders = f", each in {spec.versions} orders" if spec.versions > 1 else ""
    facts = [f"{count(spec.lists, 'list')} of {trials} trials{orders}; a participant gets one of them."]
    for role in ("test", "catch", "filler"):
        facts += state_role(role, [cell for cell in balance.cells if cell.role == role], name_cells(study))
    if not any("shown" in problem and "times" in problem for problem in balance.problems):
        where = "one list only" if spec.assignment == "split" else "every list"
        facts.append(f"Every item is in {where}, and no list shows an item twice.")
    facts += state_conditions(study, balance)
    facts += state_sides(study, balance)
    facts += state_order(study, balance)
    if study.practice:
        facts.append(f"{count(len(study.practice), 'practice trial')} before the first.")
    return facts


def name_cells(study: Study) -> str:
    """What cells are called: the conditions of a choice; those of other tasks are in every cell."""
    return "condition" if study.spec.task == "choice" else "cell"


def state_role(role: str, cells: Sequence[CellBalance], noun: str) -> Iterator[str]:
    """State how many items of a role there are, in the study and in a list."""
    if not cells:
        return
    per_list = span(number for cell in cells for number in (cell.fewest, cell.most))
    items = sum(cell.items for cell in cells)
    each = ("item" if per_list == "1" else "items") if len(cells) == 1 else "of each"
    shown = f"{count(len(cells), noun)}, {count(items, 'item')}"
    yield f"{role.capitalize()}: {shown}; {per_list} {each} in every list."


def state_conditions(study: Study, balance: Balance) -> Iterator[str]:
    """State the Latin square, or how often a list shows each condition of its suites."""
    shown = [number for one in balance.lists for number in one.shown.values()]
    if not shown:
        return
    if study.spec.assignment == "square":
        yield "Latin square: every test item is shown in each of its conditions by equally many lists."
    yield f"A list has {span(shown)} test trials of each condition."


def state_sides(study: Study, balance: Balance) -> Iterator[str]:
    """State how often the right sentence stands first."""
    sides = [one.sides for one in balance.lists if one.sides]
    if not sides:
        return
    shown = " and ".join(f"{name} in {span(one.get(name, 0) for one in sides)}" for name in sides[0])
    yield f"The right sentence is {shown} trials of every list."
    if study.spec.versions % 2 == 0 and len(sides[0]) == 2:
        yield "Over the versions of a list, it is first in half of them for every item."


def state_order(study: Study, balance: Balance) -> Iterator[str]:
    """State the constraints that all orders keep."""
    spec = study.spec
    if spec.apart and not any(one.too_near for one in balance.lists):
        others = "other trial stands" if spec.apart == 1 else "other trials stand"
        yield f"Orders are random, but at least {spec.apart} {others} between two of one condition."
    if spec.fillers_between and not any(one.adjacent_tests for one in balance.lists):
        yield "No two test trials follow each other."
    checks = [one.roles.get("check", 0) for one in balance.lists]
    if any(checks):
        yield f"Every list has {span(checks)} check{'s' * (max(checks) > 1)}, never as its first trial."


def balance_table(study: Study, balance: Balance) -> TerminalTable:
    """Make a table of all conditions: items, trials in a list, positions of the right sentence or conditions shown."""
    is_choice = study.spec.task == "choice"
    names = list(balance.cells[0].sides) if is_choice else []
    columns = [Column(name_cells(study), "name"), Column("role", "words"), Column("items"), Column("in a list")]
    columns += [Column(name) for name in names] or [Column("trials of all lists by condition", "words")]
    rows = []
    for cell in balance.cells:
        last = [f"{cell.sides.get(name, 0):,}" for name in names] or [
            ", ".join(f"{name} {number}" for name, number in cell.shown.items())
        ]
        rows.append([cell.cell, cell.role, f"{cell.items:,}", span((cell.fewest, cell.most)), *last])
    notes = ["first, second, …: position of the right sentence, over all lists and versions"] if is_choice else []
    return TerminalTable(columns, rows, title=study.spec.title, notes=notes)


def span(numbers: Iterable[int]) -> str:
    """The least and the greatest of some numbers; one number if they are equal."""
    found = sorted(numbers)
    return f"{found[0]:,}" if found[0] == found[-1] else f"{found[0]:,} to {found[-1]:,}"


def count(number: int, noun: str) -> str:
    """A number with its noun, in the plural where needed."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
