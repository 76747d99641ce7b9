"""Training against a sample of the vocabulary, which makes large vocabularies affordable on a CPU.

The projection to 20,000 words takes five times as long as all layers of a 2x256 LSTM. In an update the scores of most
words matter little; so they are computed for the words to be predicted and for a new sample of the others, in which
frequent words are (nearly) always. A word that enters an update with probability q stands for 1/q words (the
sampled softmax of Bengio and Senécal 2008, Jean et al. 2015): -log q is added to its score. A model trained so is like
any other: it is validated and evaluated with all words.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from gardenpath.training.tasks.cross_entropy import LEFT_OUT, linear_cross_entropy

FLATTENED = 0.75
"""Power of the frequencies by which words are drawn: rare words, which are many, are drawn a little more often."""

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
        rows = torch.full((len(weight),), LEFT_OUT, device=weight.device)
        rows[words] = torch.arange(len(words), device=weight.device)
        moved = torch.where(targets == LEFT_OUT, LEFT_OUT, rows[targets])
        offsets = -self.entering(len(wanted)).to(weight.device)[words].log().to(weight.dtype)
        own_bias = offsets if bias is None else bias.index_select(0, words) + offsets
        return linear_cross_entropy(hidden, weight.index_select(0, words), own_bias, moved)

    def entering(self, targets: int) -> Tensor:
        """Probability that a word takes part, drawn or as one of so many targets."""
        return 1 - (1 - self.chances) * (1 - self.shares) ** targets


def choose_loss(sampler: WordSampler | None, *, training: bool) -> Callable[..., Tensor]:
    """The loss of an update, over a sample if there is a sampler, or of a held-out text, over all words."""
    return sampler.loss if sampler is not None and training else linear_cross_entropy


def build_word_sampler(ids: NDArray[np.int32], vocabulary: int, drawn: int) -> WordSampler:
    """Build a sampler that draws about so many words, by their frequencies in a corpus of word ids."""
    counts = np.zeros(vocabulary)
    for start in range(0, len(ids), IDS_AT_ONCE):  # numpy counts in a copy of eight bytes per id
        counts += np.bincount(ids[start : start + IDS_AT_ONCE], minlength=vocabulary)
    # A word that does not occur is never a target, but the model must learn to rule it out as well.
    flat = np.maximum(counts, 1) ** FLATTENED
    return WordSampler(torch.from_numpy(counts / counts.sum()), torch.from_numpy(draw_probabilities(flat, drawn)))


def draw_probabilities(weights: NDArray[np.float64], drawn: int) -> NDArray[np.float64]:
    """Probabilities in proportion to the weights, none above 1, that add up to `drawn` (or to all words)."""
    found = np.minimum(1.0, weights * (drawn / weights.sum()))
    while drawn < len(weights) and drawn - found.sum() > 1e-9 * drawn:
        free = found < 1
        grown = found[free] * ((drawn - (~free).sum()) / found[free].sum())
        found[free] = np.minimum(1.0, grown)
    return found if drawn < len(weights) else np.ones(len(weights))
