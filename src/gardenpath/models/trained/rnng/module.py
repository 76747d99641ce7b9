"""Recurrent neural network grammars: trees generated from the top down, with their words (Dyer et al. 2016).

The state of a parse is a stack of open labels, words and closed constituents, read by an LSTM from the bottom up. From
the topmost state alone, as in Kuncoro et al. (2017), the next action is predicted, and the word if the action is GEN. A
closed constituent is one element, composed from its label and its children by two LSTMs that read from either side.
"""

from dataclasses import dataclass
from math import inf
from typing import cast

import torch
from torch import Tensor, nn

from gardenpath.models.pretrained.head import Head
from gardenpath.models.trained.checkpoint_record import check_shares, check_sizes
from gardenpath.models.trained.rnng.functions import Composition, StackLstm
from gardenpath.models.trained.rnng.plan import Plan
from gardenpath.models.trained.rnng.trees import Limits
from gardenpath.trees.transitions import FIRST_LABEL, GEN, REDUCE

FIRST_WORD = 2
"""<s> and </s> have ids in a vocabulary, but no tree generates them."""
EMBEDDING_RANGE = 1.0
"""Initial weights of embeddings are within it. A word acts through two LSTMs on the stack: with smaller weights the
actions are learned first, and become so certain that nothing else gets through."""
PROJECTION_RANGE = 3.0
"""Initial weights of the projections to words and actions are within this / √size. Losses act on all else through the
projections: with smaller weights it learns slowly, with weights of 1 a large vocabulary takes long to forget them
(`benchmarks/rnng_learning.py`)."""
FORGET = 1.0
"""Added to the initial biases of forget gates (Jozefowicz et al. 2015)."""


@dataclass(frozen=True, slots=True)
class RnngOptions:
    """The shape of an RNNG."""

    vocabulary: int
    """The number of words, with <s> and </s>."""
    labels: int
    """The number of kinds of constituent."""
    embedding: int
    """Size of the vectors of words, labels and composed constituents."""
    width: int
    """Units per layer of the stack LSTM."""
    layers: int
    dropout: float
    """Applied to words, labels (one mask per batch), between the layers, and after the last of them."""
    tied: bool
    """Whether the embedding of words is also the projection to them."""
    open_limit: int
    """Constituents that may be open at once."""
    chain_limit: int
    """Constituents that may be opened in a row."""

    def __post_init__(self) -> None:
        check_sizes(self, vocabulary=FIRST_WORD + 1, labels=1, embedding=1, width=1, layers=1)
        check_shares(self, "dropout")
        Limits(self.open_limit, self.chain_limit)

    @property
    def limits(self) -> Limits:
        """The limits that keep parses finite."""
        return Limits(self.open_limit, self.chain_limit)


class LstmWeights(nn.Module):
    """Weights of one LSTM, or of several side by side; the sums are in the order input, forget, output, proposal."""

    def __init__(self, inputs: int, width: int, *, sides: int | None = None) -> None:
        super().__init__()
        among = () if sides is None else (sides,)
        self.input_weight = nn.Parameter(torch.empty((sides or 1) * 4 * width, inputs))
        self.state_weight = nn.Parameter(torch.empty(*among, 4 * width, width))
        self.bias = nn.Parameter(torch.empty((sides or 1) * 4 * width))
        nn.init.zeros_(self.bias)
        self.bias.data.view(-1, 4, width)[:, 1] += FORGET
        keep_variance(self.input_weight)
        keep_variance(self.state_weight)


def keep_variance(weight: Tensor) -> None:
    """Draw initial weights with which sums have the variance of their inputs."""
    nn.init.uniform_(weight, -((3 / weight.shape[-1]) ** 0.5), (3 / weight.shape[-1]) ** 0.5)


class Rnng(nn.Module):
    """The weights of an RNNG, and its predictions for whole trees."""

    def __init__(self, options: RnngOptions) -> None:
        super().__init__()
        self.options = options
        size, width = options.embedding, options.width
        self.empty = nn.Parameter(torch.empty(1, size))
        """The input of the empty stack."""
        self.labels = nn.Embedding(options.labels, size)
        self.words = nn.Embedding(options.vocabulary - FIRST_WORD, size)
        self.stack = nn.ModuleList([LstmWeights(width if layer else size, width) for layer in range(options.layers)])
        self.composition = LstmWeights(size, size, sides=2)
        self.composed = nn.Linear(2 * size, size)
        self.context = nn.Linear(width, size)
        self.action_head = nn.Linear(size, FIRST_LABEL + options.labels)
        self.word_head = nn.Linear(size, options.vocabulary - FIRST_WORD)
        for linear in (self.composed, self.context):
            keep_variance(linear.weight)
        for embedding in (self.empty, self.labels.weight, self.words.weight):
            nn.init.uniform_(embedding, -EMBEDDING_RANGE, EMBEDDING_RANGE)
        for head in (self.word_head, self.action_head):
            nn.init.uniform_(head.weight, -PROJECTION_RANGE * size**-0.5, PROJECTION_RANGE * size**-0.5)
        nn.init.zeros_(self.word_head.bias)
        if options.tied:
            self.words.weight = self.word_head.weight
        blocked = torch.zeros(8, FIRST_LABEL + options.labels)
        for kinds in range(8):
            blocked[kinds, REDUCE] = 0.0 if kinds & 1 else -inf
            blocked[kinds, GEN] = 0.0 if kinds & 2 else -inf
            blocked[kinds, FIRST_LABEL:] = 0.0 if kinds & 4 else -inf
        self.register_buffer("blocked", blocked, persistent=False)
        self.blocked: Tensor

    @property
    def stack_layers(self) -> list[LstmWeights]:
        """The layers of the stack LSTM, the lowest first."""
        return cast(list[LstmWeights], list(self.stack))

    def forward(self, plan: Plan, rng: torch.Generator | None = None) -> tuple[Tensor, Tensor]:
        """Return the contexts (actions, embedding) in which actions are predicted, and those of GEN; dropout by rng."""
        words = self.drop(self.words(plan.words - FIRST_WORD), rng)  # (words, embedding)
        labels = self.drop(self.labels.weight, rng)
        composed = self.compose(words, labels, plan)  # (constituents, embedding)
        hidden = torch.cat([self.empty, labels, words, composed])
        source: Tensor | None = plan.pushed
        for layer, weights in enumerate(self.stack_layers):
            inputs = self.drop(hidden, rng) if layer else hidden
            hidden = StackLstm.apply(  # type: ignore[no-untyped-call]  # torch's
                inputs, weights.input_weight, weights.state_weight, weights.bias, source, plan.levels
            )
            source = None
        context = self.contexts(self.drop(hidden, rng)).index_select(0, plan.states)
        return context, context[plan.actions == GEN]

    def drop(self, vectors: Tensor, rng: torch.Generator | None) -> Tensor:
        """Apply dropout, in training."""
        if not self.training or self.options.dropout == 0:
            return vectors
        kept = 1 - self.options.dropout
        return vectors * torch.empty_like(vectors).bernoulli_(kept, generator=rng).div_(kept)

    def compose(self, words: Tensor, labels: Tensor, plan: Plan) -> Tensor:
        """Return the vectors of all constituents but the roots."""
        hidden, cell = self.read_labels(labels)
        own, out = self.composition, self.composed
        found: Tensor = Composition.apply(  # type: ignore[no-untyped-call]  # torch's
            words, hidden, cell, own.input_weight, own.state_weight, own.bias, out.weight, out.bias, plan
        )
        return found

    def read_labels(self, labels: Tensor) -> tuple[Tensor, Tensor]:
        """Return hidden states and cells of both composing LSTMs after each label, (2, labels, width)."""
        own = self.composition
        sums = torch.addmm(own.bias, labels, own.input_weight.T).view(len(labels), 2, -1).transpose(0, 1)
        return advance(sums, None)

    def contexts(self, hidden: Tensor) -> Tensor:
        """Return the input of both heads from the topmost state: tanh(W s + b)."""
        return torch.tanh(self.context(hidden))

    def action_log_probabilities(self, context: Tensor, allowed: Tensor) -> Tensor:
        """Return log p(action | state), among the kinds possible in each (REDUCE 1, GEN 2, NT 4)."""
        return torch.log_softmax(self.action_head(context) + self.blocked[allowed], dim=-1)

    @property
    def head(self) -> Head:
        """The projection to words, the first of them being FIRST_WORD."""
        return Head(self.word_head.weight, self.word_head.bias)


def advance(sums: Tensor, cell: Tensor | None) -> tuple[Tensor, Tensor]:
    """Take one step of LSTMs, given the sums of their gates and the cells before (None: nothing was read)."""
    width = sums.shape[-1] // 4
    enter, forget, leave = torch.sigmoid(sums[..., : 3 * width]).chunk(3, dim=-1)
    proposal = enter * torch.tanh(sums[..., 3 * width :])
    cell = proposal if cell is None else torch.addcmul(proposal, forget, cell)
    return leave * torch.tanh(cell), cell
