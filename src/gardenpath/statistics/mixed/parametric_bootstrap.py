"""Parametric bootstrap of a likelihood-ratio test: how often do data without the effect give so large a ratio?"""

from collections.abc import Callable

import numpy as np

from gardenpath.errors import InputError
from gardenpath.statistics.mixed.result import MixedModel, likelihood_ratio
from gardenpath.statistics.proportions import Floats

Fit = Callable[[Floats], MixedModel]
"""Fits a regression to a response."""


def bootstrap_ratio(
    observed: float,
    draws: list[Floats],
    fit_full: Fit,
    fit_reduced: Fit,
    *,
    advance: Callable[[], None] = lambda: None,
) -> tuple[float, int]:
    """The p-value (1 + as large) / (1 + fitted) of a ratio among responses drawn without the effect, and those fitted.

    Responses that cannot be fitted (a level that is always right, say) are left out.
    advance: called after every draw.
    """
    ratios = []
    for response in draws:
        try:
            ratios.append(likelihood_ratio(fit_full(response), fit_reduced(response)).chi2)
        except InputError:
            continue
        finally:
            advance()
    return (1 + int(np.sum(np.array(ratios) >= observed))) / (1 + len(ratios)), len(ratios)
