"""The loss of a batch of trees under an RNNG: the joint loss of trees and words.

A batch comes in parts, each computed on a core of its own from the trees to the gradients. The usual way, all cores at
every product, makes each wait for the slowest thousands of times per batch, since the levels of a stack are small.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

import torch
from torch import Tensor

from gardenpath.models.trained.rnng.module import FIRST_WORD, Rnng
from gardenpath.models.trained.rnng.plan import Plan
from gardenpath.training.tasks.cross_entropy import linear_cross_entropy

SEEDS = 1 << 62


@dataclass(frozen=True, slots=True)
class TreeLoss:
    """Nats of a batch."""

    joint: Tensor
    """-log p(trees, words), with gradients."""
    actions: float
    """The part of the actions; that of GEN without its word."""
    n_words: int

    @property
    def per_word(self) -> Tensor:
        """Joint nats per word."""
        return self.joint / self.n_words


def tree_loss(module: Rnng, parts: Sequence[Plan]) -> TreeLoss:
    """-log p(trees, words) of a batch; with the same parts and torch seed the same to the last bit."""
    parameters = tuple(module.parameters())
    joint, actions = PartedLoss.apply(module, tuple(parts), *parameters)  # type: ignore[no-untyped-call]  # torch's
    return TreeLoss(joint, float(actions), sum(part.n_words for part in parts))


@dataclass(frozen=True, slots=True)
class TreeMeasures:
    """Nats of trees, and how many of their actions are the most probable ones."""

    joint: float = 0.0
    actions: float = 0.0
    right: int = 0
    n_actions: int = 0
    n_words: int = 0

    def __add__(self, other: "TreeMeasures") -> "TreeMeasures":
        return TreeMeasures(*(getattr(self, own.name) + getattr(other, own.name) for own in fields(self)))


def measure_tree_loss(module: Rnng, parts: Sequence[Plan]) -> TreeMeasures:
    """Measure the loss of a batch, without gradients, and the accuracy of its actions."""

    def measure(plan: Plan) -> TreeMeasures:
        with torch.no_grad():
            log_probabilities, words = predictions(module, plan)
            actions = -log_probabilities.gather(1, plan.actions[:, None]).sum()
            right = (log_probabilities.argmax(dim=1) == plan.actions).sum()
        return TreeMeasures(float(actions + words), float(actions), int(right), len(plan.actions), plan.n_words)

    return sum(compute_in_parallel(measure, parts), start=TreeMeasures())


def predictions(module: Rnng, plan: Plan, rng: torch.Generator | None = None) -> tuple[Tensor, Tensor]:
    """log p of every action in every state, and the nats of the words."""
    contexts, generating = module(plan, rng)
    head = module.word_head
    words = linear_cross_entropy(generating, head.weight, head.bias, plan.words - FIRST_WORD) * plan.n_words
    return module.action_log_probabilities(contexts, plan.allowed), words


class PartedLoss(torch.autograd.Function):
    """The sum over parts, side by side; gradients are computed on the way, which autograd would not do in parallel."""

    @staticmethod
    def forward(ctx: Any, module: Rnng, parts: tuple[Plan, ...], *parameters: Tensor) -> tuple[Tensor, Tensor]:
        learns = any(ctx.needs_input_grad)
        random = learns and module.training and module.options.dropout > 0
        seeds = torch.randint(SEEDS, (len(parts),)).tolist() if random else [None] * len(parts)

        def compute(part: Plan, seed: int | None) -> tuple[Tensor, Tensor, tuple[Tensor, ...]]:
            rng = None if seed is None else torch.Generator(module.empty.device).manual_seed(seed)
            with torch.set_grad_enabled(learns):
                log_probabilities, words = predictions(module, part, rng)
                actions = -log_probabilities.gather(1, part.actions[:, None]).sum()
                joint = actions + words
                grads = torch.autograd.grad(joint, parameters) if learns else ()
            return joint.detach(), actions.detach(), grads

        joint, actions, grads = zip(*compute_in_parallel(compute, parts, seeds), strict=True)
        ctx.grads = [sum_in_place(found) for found in zip(*grads, strict=True)]
        total = torch.stack(actions).sum()
        ctx.mark_non_differentiable(total)
        return torch.stack(joint).sum(), total

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        found, ctx.grads = ctx.grads, None
        if found is None:
            raise RuntimeError("the gradients of a batch can be taken once only")
        return (None, None, *(grad.mul_(grads[0]) for grad in found))


def sum_in_place(tensors: Sequence[Tensor]) -> Tensor:
    """Add tensors up in the first of them."""
    total, *others = tensors
    for other in others:
        total += other
    return total


def compute_in_parallel(compute: Callable[..., Any], *arguments: Sequence[Any]) -> list[Any]:
    """Compute results, in order, on all threads of torch; each computation uses one."""
    threads = torch.get_num_threads()
    if threads == 1 or len(arguments[0]) == 1:
        return list(map(compute, *arguments))
    return list(thread_pool(threads).map(compute, *arguments))


@cache
def thread_pool(threads: int) -> ThreadPoolExecutor:
    """Threads that are started once."""
    return ThreadPoolExecutor(threads, initializer=torch.set_num_threads, initargs=(1,))
