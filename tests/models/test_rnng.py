"""The batched RNNG beside the literal one."""

import numpy as np
import pytest
import torch

from gardenpath.errors import InputError
from gardenpath.models.trained.rnng.module import FIRST_WORD, PROJECTION_RANGE, Rnng, RnngOptions
from gardenpath.models.trained.rnng.plan import build_plan
from gardenpath.models.trained.rnng.trees import Limits, Trees
from gardenpath.training.tasks.tree_loss import tree_loss
from literal_rnng import LiteralRnng, join, random_sentences, small_rnng

SENTENCES = random_sentences(1, 9)
pytestmark = pytest.mark.usefixtures("one_thread")


def plan_of(module: Rnng, trees: Trees):
    return build_plan(trees, module.options.labels, module.options.limits)


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("tied", [False, True])
def test_losses_and_gradients_are_those_of_the_literal_one(layers: int, tied: bool) -> None:
    module = small_rnng(layers=layers, tied=tied)
    parts = [plan_of(module, join(part)) for part in (SENTENCES[:4], SENTENCES[4:])]
    loss = tree_loss(module, parts)
    (3 * loss.joint).backward()
    found = [weight.grad.clone() for weight in module.parameters()]
    module.zero_grad()
    literal = LiteralRnng(module)
    actions, words = (
        torch.stack(part).sum() for part in zip(*(literal.nats(*each) for each in SENTENCES), strict=True)
    )
    (3 * (actions + words)).backward()
    assert loss.actions == pytest.approx(actions.item(), abs=1e-9)
    assert loss.joint.item() == pytest.approx((actions + words).item(), abs=1e-9)
    for (name, weight), grad in zip(module.named_parameters(), found, strict=True):
        torch.testing.assert_close(grad, weight.grad, rtol=0, atol=1e-9, msg=name)


def test_single_precision_is_near() -> None:
    module = small_rnng(scale=0.5)
    plan = plan_of(module, join(SENTENCES))
    with torch.no_grad():
        double = tree_loss(module, [plan])
        single = tree_loss(module.float(), [plan])
    assert float(single.per_word) == pytest.approx(float(double.per_word), abs=1e-5)


def nats_per_sentence(module: Rnng, trees: Trees) -> torch.Tensor:
    plan = plan_of(module, trees)
    contexts, generating = module(plan)
    nats = -module.action_log_probabilities(contexts, plan.allowed).gather(1, plan.actions[:, None])[:, 0]
    logits = module.word_head(generating)
    nats[plan.actions == 1] += torch.nn.functional.cross_entropy(logits, plan.words - FIRST_WORD, reduction="none")
    return torch.zeros(len(trees.starts) - 1, dtype=nats.dtype).index_add(0, plan.sentences, nats)


def test_company_and_order_change_nothing() -> None:
    module = small_rnng()
    together = nats_per_sentence(module, join(SENTENCES))
    alone = torch.cat([nats_per_sentence(module, join([sentence])) for sentence in SENTENCES])
    torch.testing.assert_close(together, alone, rtol=0, atol=1e-10)
    order = np.random.default_rng(0).permutation(len(SENTENCES))
    shuffled = nats_per_sentence(module, join([SENTENCES[place] for place in order]))
    torch.testing.assert_close(shuffled, alone[torch.from_numpy(order)], rtol=0, atol=1e-10)


def test_dropout_is_off_in_evaluation_and_on_in_training() -> None:
    module = small_rnng(dropout=0.5)
    plan = plan_of(module, join(SENTENCES))
    torch.manual_seed(0)
    first, second = (float(tree_loss(module.train(), [plan]).per_word.detach()) for _ in range(2))
    assert first != second
    with torch.no_grad():
        first, second = (float(tree_loss(module.eval(), [plan]).per_word) for _ in range(2))
    assert first == second


# Actions: 0 REDUCE, 1 GEN, 2 and 3 NT.
@pytest.mark.parametrize(
    ("actions", "place"),
    [
        ([1], "action 1"),
        ([2, 0], "action 2"),
        ([2, 1], "action 2"),
        ([2, 1, 0, 1], "action 4"),
        ([2, 2, 2, 1, 0, 0, 0], "action 3"),
        ([4, 1, 0], "action 1"),
        ([2, 2, 1, 2, 1, 0, 0, 0], "action 4"),
    ],
)
def test_what_is_no_tree_is_reported_by_sentence_and_action(actions: list[int], place: str) -> None:
    good = [2, 1, 0], [5]
    bad = actions, [5] * actions.count(1)
    with pytest.raises(InputError, match=rf"sentence 2 of the batch, {place} "):
        build_plan(join([good, bad]), 2, Limits(open=2, chain=2))


def test_words_must_be_as_many_as_are_generated() -> None:
    with pytest.raises(InputError, match="generate 2 words, and 1 are given"):
        build_plan(join([([2, 1, 1, 0], [5])]), 2, Limits())


def test_a_few_steps_make_the_loss_smaller() -> None:
    module = small_rnng(scale=0.1)
    plan = plan_of(module, join(SENTENCES))
    optimizer = torch.optim.Adam(module.parameters(), lr=0.05)
    losses = []
    for _ in range(30):
        loss = tree_loss(module, [plan]).per_word
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < losses[0] - 1


def test_both_projections_begin_alike_at_any_size() -> None:
    for size in (16, 256):
        module = Rnng(RnngOptions(502, 30, size, 8, 1, 0.0, tied=False, open_limit=100, chain_limit=8))
        for head in (module.word_head, module.action_head):
            # Uniform within ±r: the variance is r²/3; that of a sum over `size` such weights does not depend on it.
            assert float(head.weight.detach().var()) * size == pytest.approx(PROJECTION_RANGE**2 / 3, rel=0.2)
