"""Values of options that several rooms share; without numpy, which the command line does not need for its options."""

from typing import Literal

Case = Literal["as-is", "lower"]
Stop = Literal["as-is", "apart"]
First = Literal["missing", "zero"]
WordBoundary = Literal["none", "corrected"]
Normalisation = Literal["none", "mean", "character", "penlp", "slor"]
"""The divisor of the bits of a whole sentence; regions are never normalised.

mean: tokens. character: characters. penlp: ((5 + tokens) / 6) ** 0.8 (Lau et al. 2020).
slor: tokens, after the unigram bits of the tokens were subtracted (Pauls and Klein 2012).
"""
Ties = Literal["share", "wrong", "all"]
"""The credit of an item with a tie: the expected one when ties are broken at random; none; or the expected one if all
its comparisons tie, and else none (Hu, Chen and Levy 2020)."""
Smoothing = Literal["interpolated", "back-off"]
"""How an n-gram model uses shorter contexts: for every word, or only for words never seen after the longer one."""
Detail = Literal["entropy", "rank", "top", "layers"]
"""What may be wanted of every token beside its bits: the entropy of the distribution it is drawn from, its rank in it,
the likeliest tokens, and its bits after every layer."""
