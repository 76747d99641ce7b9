"""Probabilities averaged over people and items whose log odds differ: what a mean accuracy shows."""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit, logit

NODES, RAW_WEIGHTS = np.polynomial.hermite_e.hermegauss(120)
WEIGHTS = RAW_WEIGHTS / RAW_WEIGHTS.sum()
"""Gauss and Hermite's quadrature of means over a standard normal distribution."""
WIDEST = 8.0
"""Spreads of log odds by which the log odds of the average can lie from the average log odds at most."""


def marginal_probability(log_odds: float, sd: float) -> float:
    """The mean probability of cases whose log odds are normal with a mean and a standard deviation."""
    return float(expit(log_odds + sd * NODES) @ WEIGHTS)


def marginal_log_odds(probability: float, sd: float) -> float:
    """The mean log odds at which the mean probability is the one given: further from 0 than the logit of that.

    >>> round(marginal_log_odds(0.9, 0.0), 3), round(marginal_log_odds(0.9, 1.0), 3)
    (2.197, 2.564)
    """
    centre = float(logit(probability))
    if not 0 < probability < 1 or sd == 0:
        return centre
    reach = WIDEST * sd * (1 + sd) + 1
    return float(brentq(lambda at: marginal_probability(at, sd) - probability, centre - reach, centre + reach))
