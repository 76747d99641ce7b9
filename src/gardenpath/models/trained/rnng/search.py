"""Word-synchronous beam search (Stern et al. 2017): parses compete with those that have generated equally many words.

Between two words a parse closes constituents, then opens some, then generates. The action beam holds the best parses of
a row: those that are ready for the next word, and those still on their way to it. The search ends when none is on its
way, so that a parse is pruned only if there are as many better ones. The probability of the word itself counts when the
word beam is filled, not before: a parse that generates is then compared fairly with one that does not yet, and the
search does not depend on the word. So all words that may follow the same words share it, and the probability that the
action beam prunes is known. (Noji and Oseki's first code, of 2021, has this as an option, `delay_word_ll`; their later
code with fixed stacks still takes the option, but adds the word's probability at once.)

How long the sentence is, the search does not know. Theirs does: there the root cannot be closed before the last word,
and after it nothing but closing is possible, so that its perplexities are lower than ours by nature.
"""

from dataclasses import dataclass
from math import inf
from typing import Self

import torch
from torch import Tensor

from gardenpath.errors import SentenceError
from gardenpath.models.trained.rnng.arena import Arena, bytes_per_node
from gardenpath.models.trained.rnng.module import FIRST_WORD, Rnng
from gardenpath.models.trained.rnng.options import DEFAULT_BEAM, SearchOptions
from gardenpath.trees.transitions import FIRST_LABEL, GEN, REDUCE

RULES = 2
"""Raise this when a change of the search changes results: scores found by older rules are then not reused."""
MOST_BYTES = 1 << 31
"""Memory that one search may use; without a beam, the parses of a real model would exceed any memory."""
NODES_IN_MAKING = 3
"""Memory of a node while it is computed, in nodes: the sums of all gates are needed too."""
BYTES_PER_SUCCESSOR = 48
"""Memory of tops, keys and logarithms of the successors of a parse, for each action."""


@dataclass(frozen=True, slots=True)
class Parses:
    """Parses of every row; padding has probability zero and the top -1."""

    tops: Tensor  # (rows, parses)
    logs: Tensor  # (rows, parses), log of the forward probability

    @property
    def total(self) -> Tensor:
        """Logarithm of the summed forward probabilities of each row."""
        return torch.logsumexp(self.logs, dim=1) if self.logs.shape[1] else self.logs.new_full((len(self.logs),), -inf)

    def best(self, count: int | None, keys: Tensor | None = None) -> tuple[Self, Tensor]:
        """Return the best of every row (by other keys, if given), best first, and their columns; without padding."""
        keys = self.logs if keys is None else keys
        found = int((keys > -inf).sum(dim=1).max()) if keys.numel() else 0
        count = found if count is None else min(count, found)
        _, columns = torch.topk(keys, count, dim=1)
        return type(self)(self.tops.gather(1, columns), self.logs.gather(1, columns)), columns


class Search:
    """The search between words, for all parses of all rows together."""

    def __init__(self, module: Rnng, options: SearchOptions) -> None:
        self.module = module
        self.options = options

    def explore(self, arena: Arena, parses: Parses) -> tuple[Parses, Tensor]:
        """Search all paths to the next word that the beam allows, one action at a time, until no parse is on its way.

        Return the parses that generate, without the probability of the word itself, and the logarithm of the
        probability that the sentence ended. A beam cannot become empty: GEN is possible wherever a constituent is open,
        so that every parse continues, and the limits bound every path to a word.
        """
        ended = parses.logs.new_full((len(parses.tops),), -inf)
        ready = Parses(parses.tops[:, :0], parses.logs[:, :0])
        ready_keys = ready.logs
        while parses.logs.numel() and bool((parses.logs > -inf).any()):
            logs, closing = self.successors(arena, parses)  # (rows, parses, actions)
            ended = torch.logaddexp(ended, closing)
            keys = logs.clone()
            best, columns = torch.topk(logs[:, :, GEN], min(self.options.fast_track, logs.shape[1]), dim=1)
            tracked = (best > -inf) & self.fits_track(ready_keys, best.shape[1])
            keys[:, :, GEN].scatter_(1, columns, best.masked_fill(tracked, inf))
            n_ready, n_actions = ready.tops.shape[1], logs.shape[2]
            everything = Parses(
                torch.cat([ready.tops, parses.tops.repeat_interleave(n_actions, dim=1)], dim=1),
                torch.cat([ready.logs, logs.flatten(1)], dim=1),
            )
            all_keys = torch.cat([ready_keys, keys.flatten(1)], dim=1)
            beam, columns = everything.best(self.options.action_beam, all_keys)
            kept_keys = all_keys.gather(1, columns)
            actions = torch.where(columns < n_ready, GEN, (columns - n_ready) % n_actions)
            is_ready = actions == GEN
            ready_keys = torch.where(is_ready, kept_keys, -inf)
            ready, columns = Parses(beam.tops, beam.logs.masked_fill(~is_ready, -inf)).best(None, ready_keys)
            ready_keys = ready_keys.gather(1, columns)
            going, columns = Parses(beam.tops, beam.logs.masked_fill(is_ready, -inf)).best(None)
            parses = self.take(arena, going, actions.gather(1, columns))
        return ready, ended

    def fits_track(self, ready_keys: Tensor, n: int) -> Tensor:
        """Tell which of n more parses are kept even if others are better, (rows, n): at most half of the action beam.

        Without this limit, a small beam would fill with parses that generate at once, and all trees would be flat.
        """
        most = inf if self.options.action_beam is None else float(self.options.action_beam // 2)
        taken = (ready_keys == inf).sum(dim=1, keepdim=True)
        return taken + torch.arange(n, device=taken.device) < most

    def successors(self, arena: Arena, parses: Parses) -> tuple[Tensor, Tensor]:
        """Return forward probabilities after every action, (rows, parses, actions), and those of sentences that end."""
        there = parses.logs > -inf
        nodes = parses.tops[there]
        store, limits = arena.store, self.module.options.limits
        n_open, chain = store.n_open[nodes], store.chain[nodes]
        opens = (n_open < limits.open) & (chain < limits.chain)
        allowed = ((n_open > 0) & (chain == 0)) * 1 + (n_open > 0) * 2 + opens * 4
        context = self.module.contexts(store.hidden[nodes, -1])
        own = self.module.action_log_probabilities(context, allowed).double()
        logs = own.new_full((*parses.logs.shape, own.shape[1]), -inf)
        logs[there] = own + parses.logs[there][:, None]
        root = torch.zeros_like(there)
        root[there] = n_open == 1
        closing = logs[:, :, REDUCE].masked_fill(~root, -inf)
        logs[:, :, REDUCE] = logs[:, :, REDUCE].masked_fill(root, -inf)
        return logs, torch.logsumexp(closing, dim=1)

    def take(self, arena: Arena, parses: Parses, actions: Tensor) -> Parses:
        """Return the parses after their actions."""
        there = parses.logs > -inf
        self.check_room(arena, int(there.sum()))
        tops = torch.full_like(parses.tops, -1)
        tops[there] = arena.take(parses.tops[there], actions[there])
        return Parses(tops, parses.logs)

    def check_room(self, arena: Arena, n_parses: int) -> None:
        """Refuse to continue if a node of each parse, and its successors, would exceed the memory."""
        shape = self.module.options
        per_parse = NODES_IN_MAKING * bytes_per_node(shape) + BYTES_PER_SUCCESSOR * (FIRST_LABEL + shape.labels)
        if arena.count * bytes_per_node(shape) + n_parses * per_parse > MOST_BYTES:
            # With a beam this large a block has one row, so that any of its words identifies the sentence.
            raise SentenceError(
                f"beam {self.options}: there are {n_parses:,} parses to follow to the next word, more than "
                f"{MOST_BYTES >> 30} GiB of memory hold; choose a smaller beam, such as {DEFAULT_BEAM} (`all` is for "
                "grammars of a few labels with low limits)",
                number=0,
            )

    def close(self, arena: Arena, parses: Parses) -> Parses:
        """Return the parses with all constituents closed, and no word after; those without words are dropped."""
        nothing = arena.store.n_open[parses.tops.clamp(min=0)] == 0
        parses = Parses(parses.tops, parses.logs.masked_fill(nothing, -inf))
        while True:
            there = (parses.logs > -inf) & (arena.store.n_open[parses.tops.clamp(min=0)] > 0)
            if not bool(there.any()):
                return parses
            nodes = parses.tops[there]
            context = self.module.contexts(arena.store.hidden[nodes, -1])
            # After a word, or a constituent closed, REDUCE and GEN are always possible; NT within the limits.
            opens = arena.store.n_open[nodes] < self.module.options.limits.open
            own = self.module.action_log_probabilities(context, 3 + opens * 4)[:, REDUCE].double()
            tops, logs = parses.tops.clone(), parses.logs.clone()
            tops[there], logs[there] = arena.reduce(nodes), logs[there] + own
            parses = Parses(tops, logs)

    def word_logs(self, arena: Arena, ready: Parses, rows: Tensor, words: Tensor) -> Parses:
        """Return the ready parses of rows[i], with the probability of generating words[i]."""
        there = ready.logs > -inf
        head = self.module.head
        context = self.module.contexts(arena.store.hidden[ready.tops[there], -1])
        flat = torch.full_like(ready.tops, -1)
        flat[there] = torch.arange(len(context), device=flat.device)
        totals, logs = head.log_sum(context), ready.logs[rows]  # (words, parses)
        exists = there[rows]
        found = flat[rows][exists]
        wanted = (words - FIRST_WORD)[:, None].expand_as(exists)[exists]
        logs[exists] += (head.logit(context[found], wanted) - totals[found]).double()
        return Parses(ready.tops[rows], logs)
