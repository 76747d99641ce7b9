"""An RNNG as the paper has it: one sentence, one action at a time, a stack that is a list."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from gardenpath.models.trained.rnng.module import FIRST_WORD, LstmWeights, Rnng, RnngOptions
from gardenpath.models.trained.rnng.trees import Trees
from gardenpath.trees.transitions import FIRST_LABEL, GEN, REDUCE

Cell = tuple[Tensor, Tensor]


def lstm(x: Tensor, before: Cell, input_weight: Tensor, state_weight: Tensor, bias: Tensor) -> Cell:
    """h, c = LSTM(x, h', c')."""
    hidden, cell = before
    i, f, o, g = (input_weight @ x + state_weight @ hidden + bias).chunk(4)
    cell = torch.sigmoid(f) * cell + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(cell), cell


@dataclass(frozen=True)
class Element:
    """What lies on the stack: an open label, a word, or a closed constituent, and the stack LSTM above it."""

    vector: Tensor
    label: int | None
    states: tuple[Cell, ...]


Stack = tuple[Element, ...]


class LiteralRnng:
    """Reads the weights of a module, with autograd."""

    def __init__(self, module: Rnng) -> None:
        self.module = module
        self.zero = module.empty.new_zeros(module.options.width)

    def empty(self) -> Stack:
        return self.push((), self.module.empty[0])

    def push(self, stack: Stack, vector: Tensor, label: int | None = None) -> Stack:
        below = stack[-1].states if stack else ((self.zero, self.zero),) * self.module.options.layers
        states, inputs = [], vector
        for weights, before in zip(self.module.stack, below, strict=True):
            assert isinstance(weights, LstmWeights)
            states.append(lstm(inputs, before, weights.input_weight, weights.state_weight, weights.bias))
            inputs = states[-1][0]
        return (*stack, Element(vector, label, tuple(states)))

    def take(self, stack: Stack, action: int, word: int | None = None) -> Stack:
        """The stack after an action."""
        if action >= FIRST_LABEL:
            label = action - FIRST_LABEL
            return self.push(stack, self.module.labels.weight[label], label)
        if action == GEN:
            assert word is not None
            return self.push(stack, self.module.words.weight[word - FIRST_WORD])
        opened = max(place for place, element in enumerate(stack) if element.label is not None)
        label = stack[opened].label
        assert label is not None
        return self.push(stack[:opened], self.compose(label, [element.vector for element in stack[opened + 1 :]]))

    def compose(self, label: int, children: Sequence[Tensor]) -> Tensor:
        own = self.module.composition
        rows = len(own.bias) // 2
        ends = []
        for side, order in enumerate((list(children), list(children)[::-1])):
            part = slice(side * rows, (side + 1) * rows)
            zero = own.bias.new_zeros(rows // 4)
            state = zero, zero
            for vector in (self.module.labels.weight[label], *order):
                state = lstm(vector, state, own.input_weight[part], own.state_weight[side], own.bias[part])
            ends.append(state[0])
        return torch.tanh(self.module.composed.weight @ torch.cat(ends) + self.module.composed.bias)

    def context(self, stack: Stack) -> Tensor:
        return torch.tanh(self.module.context.weight @ stack[-1].states[-1][0] + self.module.context.bias)

    def actions(self, stack: Stack) -> dict[int, Tensor]:
        """log p of every action that is possible."""
        options = self.module.options
        opened = [element.label is not None for element in stack]
        chain = next((place for place, is_open in enumerate(reversed(opened)) if not is_open), len(opened))
        possible = []
        if sum(opened) > 0 and chain == 0:
            possible.append(REDUCE)
        if sum(opened) > 0:
            possible.append(GEN)
        if sum(opened) < options.open_limit and chain < options.chain_limit:
            possible.extend(range(FIRST_LABEL, FIRST_LABEL + options.labels))
        scores = self.module.action_head.weight @ self.context(stack) + self.module.action_head.bias
        return dict(zip(possible, torch.log_softmax(scores[possible], dim=0), strict=True))

    def word(self, stack: Stack, word: int) -> Tensor:
        """log p(word | GEN)."""
        scores = self.module.word_head.weight @ self.context(stack) + self.module.word_head.bias
        return torch.log_softmax(scores, dim=0)[word - FIRST_WORD]

    def nats(self, actions: Sequence[int], words: Sequence[int]) -> tuple[Tensor, Tensor]:
        """-log p of the actions and of the words of one sentence."""
        stack, rest = self.empty(), iter(words)
        action_nats = word_nats = self.zero.sum()
        for action in actions:
            action_nats = action_nats - self.actions(stack)[action]
            word = next(rest) if action == GEN else None
            if word is not None:
                word_nats = word_nats - self.word(stack, word)
            stack = self.take(stack, action, word)
        return action_nats, word_nats

    def parses(self, words: Sequence[int]) -> Iterator[tuple[float, list[int], Stack]]:
        """log p, actions and stack of every way to the last of these words; nothing is left out."""
        yield from self.extend(0.0, [], self.empty(), list(words))

    def extend(
        self, log: float, taken: list[int], stack: Stack, words: list[int]
    ) -> Iterator[tuple[float, list[int], Stack]]:
        if not words:
            yield log, taken, stack
            return
        closes_root = sum(element.label is not None for element in stack) == 1
        for action, nats in self.actions(stack).items():
            if action == GEN:
                after = log + float(nats) + float(self.word(stack, words[0]))
                yield from self.extend(after, [*taken, GEN], self.take(stack, GEN, words[0]), words[1:])
            elif action != REDUCE or not closes_root:
                yield from self.extend(log + float(nats), [*taken, action], self.take(stack, action), words)

    def closing(self, stack: Stack) -> float:
        """log p that all is closed and no word follows."""
        log = 0.0
        while any(element.label is not None for element in stack):
            log += float(self.actions(stack)[REDUCE])
            stack = self.take(stack, REDUCE)
        return log

    @torch.no_grad()
    def log_prefix(self, words: Sequence[int]) -> float:
        """log p that a sentence begins with these words."""
        return log_sum([log for log, _, _ in self.parses(words)])

    @torch.no_grad()
    def log_sentence(self, words: Sequence[int]) -> float:
        """log p that these words are a sentence."""
        return log_sum([log + self.closing(stack) for log, _, stack in self.parses(words)])


def log_sum(logs: Sequence[float]) -> float:
    most = max(logs)
    return most + math.log(math.fsum(math.exp(log - most) for log in logs))


def random_tree(rng: np.random.Generator, words: int, labels: int, *, depth: int = 12) -> list[int]:
    """Actions of a random tree over so many words, with unary constituents and flat ones among others."""

    def grow(n: int, level: int) -> list[int]:
        if n == 1 and (level >= depth or rng.random() < 0.7):
            return [GEN]
        pieces = (
            [1] * n
            if level >= depth
            else np.diff([0, *sorted(rng.choice(np.arange(1, n), rng.integers(0, n), replace=False)), n])
        )
        if len(pieces) == 1 and rng.random() < 0.5:
            pieces = [1] * n
        inner = [action for piece in pieces for action in grow(int(piece), level + 1)]
        return [FIRST_LABEL + int(rng.integers(labels)), *inner, REDUCE]

    actions = grow(words, 1)
    return actions if actions[0] != GEN else [FIRST_LABEL, *actions, REDUCE]


def join(sentences: Sequence[tuple[Sequence[int], Sequence[int]]]) -> Trees:
    """A batch of (actions, words)."""
    return Trees(
        np.concatenate([np.array(words, dtype=np.int32) for _, words in sentences]),
        np.concatenate([np.array(actions, dtype=np.int32) for actions, _ in sentences]),
        np.cumsum([0, *(len(actions) for actions, _ in sentences)]),
    )


def random_sentences(
    seed: int, number: int, *, labels: int = 3, vocabulary: int = 12, longest: int = 9
) -> list[tuple[list[int], list[int]]]:
    """Random trees over random words, some of one word."""
    rng = np.random.default_rng(seed)
    lengths = [1, *rng.integers(1, longest + 1, size=number - 1).tolist()]
    return [
        (random_tree(rng, length, labels), rng.integers(FIRST_WORD, vocabulary, size=length).tolist())
        for length in lengths
    ]


def small_rnng(seed: int = 0, *, scale: float = 1.0, **options: float) -> Rnng:
    """A random RNNG in double precision whose predictions are far from uniform."""
    given = {
        "vocabulary": 12,
        "labels": 3,
        "embedding": 7,
        "width": 6,
        "layers": 2,
        "dropout": 0.0,
        "tied": False,
        "open_limit": 100,
        "chain_limit": 8,
        **options,
    }
    module = Rnng(RnngOptions(**given)).double()  # type: ignore[arg-type]
    # After the module was built, so that these weights do not hang on how first weights are drawn.
    torch.manual_seed(seed)
    with torch.no_grad():
        for weight in module.parameters():
            weight.copy_(torch.randn_like(weight) * scale)
    return module
