"""Training against a sample of the vocabulary: what makes large vocabularies bearable on a processor.

The projection to 20,000 words costs a 2x256 LSTM five times what all its layers cost. In an update the scores of most
words tell little; so they are computed for the words that are to be predicted and for a sample of the others, new each
time, in which frequent words are (nearly) always. A word that enters an update with probability q stands for 1/q words
(the sampled softmax of Bengio and Senécal 2008, Jean et al. 2015): -log q is added to its score. Trained so, a model is
one like any other: it is validated and asked with all words.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gardenpath.training.tasks.cross_entropy import LEFT_OUT, linear_cross_entropy

FLATTENED = 0.75
"""Power of the frequencies by which words are drawn: rare words, whose scores are many, come a little more often."""

IDS_AT_ONCE = 10_000_000


@dataclass(frozen=True)
class WordSampler:
    """Draws the words that take part in an update, by their frequencies."""

    shares: Tensor  # (vocabulary,), of the corpus
    chances: Tensor  # (vocabulary,), of being drawn

    def loss(self, hidden: Tensor, weight: Tensor, bias: Tensor | None, targets: Tensor) -> Tensor:
        """`linear_cross_entropy` over the words drawn for this call and the targets."""
        drawn = torch.rand(len(self.chances), device=weight.device) < self.chances.to(weight.device)
        wanted = targets[targets != LEFT_OUT]
        drawn[wanted] = True
        words = drawn.nonzero()[:, 0]
        places = torch.full((len(weight),), LEFT_OUT, device=weight.device)
        places[words] = torch.arange(len(words), device=weight.device)
        moved = torch.where(targets == LEFT_OUT, LEFT_OUT, places[targets])
        offsets = -self.entering(len(wanted)).to(weight.device)[words].log().to(weight.dtype)
        return linear_cross_entropy(
            hidden,
            weight.index_select(0, words),
            offsets if bias is None else bias.index_select(0, words) + offsets,
            moved,
        )

    def entering(self, targets: int) -> Tensor:
        """Probability that a word takes part, drawn or as one of so many targets."""
        return 1 - (1 - self.chances) * (1 - self.shares) ** targets


def loss_over(sampler: WordSampler | None, *, training: bool) -> Callable[..., Tensor]:
    """The loss of an update, which may be over a sample, or that of a held-out text, which is over all words."""
    return sampler.loss if sampler is not None and training else linear_cross_entropy


def word_sampler(ids: NDArray[np.int32], vocabulary: int, drawn: int) -> WordSampler:
    """A sampler that draws about so many words, from a corpus as numbers."""
    counts = np.zeros(vocabulary)
    for start in range(0, len(ids), IDS_AT_ONCE):  # numpy counts in a copy of eight bytes per number
        counts += np.bincount(ids[start : start + IDS_AT_ONCE], minlength=vocabulary)
    # A word that does not occur is never a target, but what it costs to rule it out is to be learned as well.
    flat = np.maximum(counts, 1) ** FLATTENED
    return WordSampler(torch.from_numpy(counts / counts.sum()), torch.from_numpy(chances(flat, drawn)))


def chances(weights: NDArray[np.float64], drawn: int) -> NDArray[np.float64]:
    """Probabilities in proportion to the weights, none above 1, that add up to `drawn` (or to all words)."""
    found = np.minimum(1.0, weights * (drawn / weights.sum()))
    while drawn < len(weights) and drawn - found.sum() > 1e-9 * drawn:
        free = found < 1
        grown = found[free] * ((drawn - (~free).sum()) / found[free].sum())
        found[free] = np.minimum(1.0, grown)
    return found if drawn < len(weights) else np.ones(len(weights))
