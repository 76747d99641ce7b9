"""Majorities, ties and the inclusion rule."""

import polars

from gardenpath.statistics.majorities import accept_cells, pair_majorities


def choices(pairs: dict[str, list[str]], cell: str = "c") -> polars.DataFrame:
    """Choices of every item, of which `good` is right."""
    rows = [(cell, "s", item, one, one == "good") for item, chosen in pairs.items() for one in chosen]
    return polars.DataFrame(rows, schema=["cell", "suite", "item", "choice", "correct"], orient="row")


def test_a_majority_is_more_than_any_other_choice() -> None:
    table = pair_majorities(
        choices(
            {
                "1": ["good", "good", "bad"],
                "2": ["good", "bad"],
                "3": ["bad"],
                "4": ["good", "good", "bad", "worse", "worst"],
                "5": ["good", "bad", "worse"],
            }
        )
    )
    assert table["majority"].to_list() == ["right", "tie", "wrong", "right", "tie"]
    assert table["share"].to_list() == [2 / 3, 0.5, 0, 0.4, 1 / 3]


def test_four_of_five_pairs_are_enough_and_ties_are_wrong() -> None:
    right, tied = ["good"], ["good", "bad"]
    cells = {
        "four": [right] * 4 + [tied],
        "three": [right] * 3 + [tied] * 2,
        "filler": [right] * 4,
        "ten": [right] * 8 + [tied] * 2,
    }
    tables = [choices({str(n): one for n, one in enumerate(pairs)}, cell) for cell, pairs in cells.items()]
    decided = accept_cells(pair_majorities(polars.concat(tables)))
    assert dict(decided.select("cell", "accepted").iter_rows()) == {
        "four": True, "three": False, "filler": None, "ten": True,
    }  # fmt: skip
    assert decided["tied_pairs"].to_list() == [1, 2, 0, 2]
