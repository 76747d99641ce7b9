"""Trees as actions that build them from the top down, word by word (Dyer et al. 2016, section 3).

NT(X) opens a constituent with the label X, GEN generates the next word in the innermost open constituent, REDUCE closes
that constituent. An action is a number: 0 is REDUCE, 1 is GEN, 2 and above open the labels. Words are kept apart:
the i-th GEN of a sentence generates its i-th word.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gardenpath.errors import InputError
from gardenpath.trees.tree import Tree, escaped

REDUCE, GEN = 0, 1
FIRST_LABEL = 2
"""The action that opens a constituent with the first label."""

Actions = NDArray[np.int32]


@dataclass(frozen=True)
class Labels:
    """The labels of a model and the actions that open them."""

    names: tuple[str, ...]
    """The label of action 2, of action 3, and so on."""

    def __post_init__(self) -> None:
        if not self.names or len(set(self.names)) < len(self.names):
            raise InputError(f"labels {self.names}: give at least one, and each only once")

    @cached_property
    def actions(self) -> dict[str, int]:
        """The action that opens each label."""
        return {name: FIRST_LABEL + index for index, name in enumerate(self.names)}

    @property
    def n_actions(self) -> int:
        """The number of actions."""
        return FIRST_LABEL + len(self.names)

    def action(self, label: str) -> int:
        """The action that opens a constituent with this label."""
        try:
            return self.actions[label]
        except KeyError:
            close = get_close_matches(label, self.names, n=1)
            advice = f"did you mean {close[0]!r}?" if close else "normalise the tree as the training trees were"
            raise InputError(f"the label {label!r} is not one of the model's {len(self.names)}; {advice}") from None

    def label(self, action: int) -> str:
        """The label an action opens."""
        return self.names[action - FIRST_LABEL]


def labels_of(counts: Mapping[str, int]) -> Labels:
    """The labels of a treebank, the most frequent first, ties by spelling."""
    return Labels(tuple(sorted(counts, key=lambda label: (-counts[label], label))))


def oracle(tree: Tree, labels: Labels) -> Actions:
    """The actions that build a tree."""
    actions: list[int] = []
    add_actions(tree, labels, actions)
    return np.array(actions, dtype=np.int32)


def add_actions(tree: Tree, labels: Labels, actions: list[int]) -> None:
    """Append the actions that build a constituent."""
    actions.append(labels.actions.get(tree.label) or labels.action(tree.label))
    for child in tree.children:
        if isinstance(child, str):
            actions.append(GEN)
        else:
            add_actions(child, labels, actions)
    actions.append(REDUCE)


def open_brackets(actions: Iterable[int], words: Sequence[str], labels: Labels) -> str:
    """Write an unfinished tree in brackets: `(S (NP the dog) (VP saw`."""
    rest = iter(words)
    parts: list[str] = []
    for action in actions:
        if action == REDUCE:
            parts[-1] += ")"
        else:
            parts.append(escaped(next(rest)) if action == GEN else f"({labels.label(action)}")
    return " ".join(parts)


def tree_from_actions(actions: Actions | Iterable[int], words: Sequence[str], labels: Labels) -> Tree:
    """The tree that actions build over words; the inverse of `oracle`."""
    done: list[Tree | str] = []
    opened: list[tuple[str, list[Tree | str]]] = []
    rest = iter(words)
    for index, action in enumerate(map(int, actions)):
        if done:
            raise illegal_action(index, action, "the tree is complete already")
        if action >= FIRST_LABEL:
            if action >= labels.n_actions:
                raise illegal_action(index, action, f"there are {labels.n_actions} actions")
            opened.append((labels.label(action), []))
            continue
        if not opened:
            raise illegal_action(index, action, "no constituent is open")
        if action == GEN:
            opened[-1][1].append(next_word(rest, index))
            continue
        label, children = opened.pop()
        if not children:
            raise illegal_action(index, action, f"the open {label} has no children")
        (opened[-1][1] if opened else done).append(Tree(label, tuple(children)))
    match done, list(rest):
        case [Tree() as tree], []:
            return tree
        case [_], left:
            raise InputError(f"{len(left)} of {len(words)} words are not generated; give all actions of the sentence")
        case _:
            raise InputError(f"{len(opened)} constituents stay open at the end; give all actions of the sentence")


def next_word(rest: Iterable[str], index: int) -> str:
    """The word that GEN generates."""
    for word in rest:
        return word
    raise illegal_action(index, GEN, "all words are generated")


def illegal_action(index: int, action: int, reason: str) -> InputError:
    """Describe an action that cannot be taken."""
    name = {REDUCE: "REDUCE", GEN: "GEN"}.get(action, f"NT ({action})")
    return InputError(f"action {index + 1} is {name}, but {reason}; give the actions of one whole tree")
