"""Mixed models that begin with the maximal random effects and are simplified step by step until they can be estimated.

Maximal is an intercept by every group and a slope of every term that varies within it, all correlated (Barr, Levy,
Scheepers & Tily 2013). While the fit is singular or did not converge, correlations are dropped first, then the slope
with the smallest spread.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.linear import RandomEffect, fit_linear
from gardenpath.statistics.mixed.logistic import fit_logistic
from gardenpath.statistics.mixed.result import MixedModel
from gardenpath.statistics.mixed.terms import INTERCEPT, build_design, group_codes

Kind = Literal["linear", "logistic"]


@dataclass(frozen=True, slots=True)
class GroupStructure:
    """The random effects by one group."""

    group: str
    slopes: tuple[str, ...]
    correlated: bool = True

    @property
    def effects(self) -> tuple[RandomEffect, ...]:
        """As one random effect, or as independent ones."""
        if self.correlated or not self.slopes:
            return (RandomEffect(self.group, self.slopes),)
        alone = (RandomEffect(self.group, (slope,), intercept=False) for slope in self.slopes)
        return (RandomEffect(self.group), *alone)


@dataclass(frozen=True, slots=True)
class MaximalFit:
    """A mixed model with the largest random effects that can be estimated."""

    model: MixedModel
    random: tuple[RandomEffect, ...]
    """The random effects of the model; `fit_and_test` takes them, too."""
    formula: str
    """In lme4's notation."""
    simplified: tuple[str, ...]
    """What was left out, step by step, and why."""


def fit_maximal(
    table: polars.DataFrame, response: str, *, fixed: Sequence[str], groups: Sequence[str], kind: Kind
) -> MaximalFit:
    """Fit a response on fixed terms with the largest random effects by some groups that can be estimated."""
    structures, steps = maximal_structures(table, fixed, groups)
    while True:
        random = tuple(effect for structure in structures for effect in structure.effects)
        try:
            model = fit_kind(table, response, fixed=fixed, random=random, kind=kind)
            reason = "; ".join(model.notes)
        except InputError as refusal:
            if not any(structure.slopes for structure in structures):
                raise
            model, reason = None, str(refusal)
        simpler = simplify(table, structures, model) if reason else None
        if simpler is not None:
            structures, step = simpler
            steps = [*steps, f"{step}: {reason}"]
        elif model is not None:
            return MaximalFit(model, random, write_formula(response, fixed, random), tuple(steps))


def fit_kind(
    table: polars.DataFrame, response: str, *, fixed: Sequence[str], random: Sequence[RandomEffect], kind: Kind
) -> MixedModel:
    """Fit a linear or a logistic mixed model."""
    fit = fit_linear if kind == "linear" else fit_logistic
    return fit(table, response, fixed=fixed, random=random)


def maximal_structures(
    table: polars.DataFrame, fixed: Sequence[str], groups: Sequence[str]
) -> tuple[list[GroupStructure], list[str]]:
    """All slopes that vary within their group, and in words those that do not."""
    structures, constant = [], []
    for group in groups:
        varying = tuple(term for term in fixed if varies_within(table, term, group))
        structures.append(GroupStructure(group, varying))
        constant += [
            f"no slope of {term} by {group}: {term} does not vary within {group}"
            for term in fixed
            if term not in varying
        ]
    return structures, constant


def varies_within(table: polars.DataFrame, term: str, group: str) -> bool:
    """Whether a term has several values in some level of a group."""
    matrix, codes = build_design(table, [term]).matrix, group_codes(table, group)
    _, first = np.unique(codes, return_index=True)
    return bool((matrix != matrix[first[codes]]).any())


def simplify(
    table: polars.DataFrame, structures: Sequence[GroupStructure], model: MixedModel | None
) -> tuple[list[GroupStructure], str] | None:
    """The next simpler random effects, and in words what is left out; None if nothing simpler would help.

    model: the fit that is singular or did not converge, or None if there is none.
    """
    blamed = [structure for structure in structures if model is not None and causes_singular(structure, model)]
    if not blamed and (model is None or not model.converged):
        blamed = [structure for structure in structures if structure.slopes]
    correlated = [structure.group for structure in blamed if structure.correlated]
    if correlated:
        simpler = [
            replace(structure, correlated=False) if structure.group in correlated else structure
            for structure in structures
        ]
        return simpler, f"no correlations of effects by {' and '.join(correlated)}"
    sizes = [
        (slope_size(table, structure, slope, model), structure.group, slope)
        for structure in blamed
        for slope in structure.slopes
    ]
    if not sizes:
        return None
    _, group, dropped = min(sizes, key=lambda entry: entry[0])
    simpler = [
        replace(structure, slopes=tuple(slope for slope in structure.slopes if slope != dropped))
        if structure.group == group
        else structure
        for structure in structures
    ]
    return simpler, f"no slope of {dropped} by {group}"


def causes_singular(structure: GroupStructure, model: MixedModel) -> bool:
    """Whether simpler effects by a group may make its covariance regular.

    An intercept whose spread is 0 stays: leaving it out would not change the fit.
    """
    if not structure.slopes or structure.group not in model.singular:
        return False
    spreads = {spread.term: spread.sd for spread in model.spreads if spread.group == structure.group}
    intercept = spreads.pop(INTERCEPT)
    return structure.correlated or intercept > 0 or min(spreads.values()) == 0


def slope_size(table: polars.DataFrame, structure: GroupStructure, slope: str, model: MixedModel | None) -> float:
    """The spread of a slope times that of its column, which does not depend on its unit.

    Where there is no fit, slopes by the group with the most levels are the first to go.
    """
    if model is None:
        return -float(table[structure.group].n_unique())
    design = build_design(table, [slope])
    units = dict(zip(design.columns, design.matrix.std(axis=0).tolist(), strict=True))
    found = [
        spread.sd * units[spread.term]
        for spread in model.spreads
        if spread.group == structure.group and spread.term in units
    ]
    return float(max(found))


def write_formula(response: str, fixed: Sequence[str], random: Sequence[RandomEffect]) -> str:
    """A model in lme4's notation."""
    bars = [f"({' + '.join(['1' if effect.intercept else '0', *effect.slopes])} | {effect.group})" for effect in random]
    return f"{response} ~ {' + '.join(['1', *fixed, *bars])}"
