"""An RNNG as a language model: its state is the word beam, a set of parses of the words read."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, log

import torch
from torch import Tensor

from gardenpath.errors import SentenceError
from gardenpath.models.pretrained.head import to_tensors
from gardenpath.models.protocol import Bits, Indices, ModelCard
from gardenpath.models.trained.checkpoint import require_finite
from gardenpath.models.trained.rnng.arena import BOTTOM, Arena, bytes_per_node, empty_stack, keep_reachable
from gardenpath.models.trained.rnng.module import FIRST_WORD, Rnng, RnngOptions
from gardenpath.models.trained.rnng.options import SearchOptions
from gardenpath.models.trained.rnng.search import MOST_BYTES, Parses, Search
from gardenpath.models.trained.rnng.state import BeamState, PrunedMass, concatenate_states
from gardenpath.text.vocabulary import BEGIN, END, VocabularyTokenizer
from gardenpath.trees.transitions import GEN, REDUCE

BEGIN_ID, END_ID = 0, 1
"""<s> and </s> in every vocabulary of ours."""
ROWS_PER_BLOCK = 24
"""Rows searched together, at most."""
NODES_PER_ROW = 400
"""Nodes that the search of a row adds, about."""
NODES_PER_PARSE = 6
"""Nodes that a row keeps for each parse of its word beam, about: most nodes below are shared."""
PARSES_OF_ALL = 1000
"""Parses of a row without a limit of the beam, about."""
BEAM_NOISE = 1e-3
"""Bits by which a surprisal may vary with the shape of the batch, in float32, as long as no parses swap ranks."""


@dataclass(frozen=True, slots=True)
class BestParse:
    """The most probable tree of a sentence in the beam."""

    actions: list[int]
    bits: float
    """-log2 p(tree, words)."""
    sentence_bits: float
    """-log2 of the sum over all trees in the beam."""


@dataclass(frozen=True, slots=True)
class PartialParse:
    """The most probable parse of the beginning of a sentence, after one of its words."""

    actions: list[int]
    """The last is the GEN of the word."""
    share: float
    """Its share of the probability of all parses in the beam."""
    bits: float
    """Of the word."""


class RnngModel:
    """An RNNG that reads left to right, by word-synchronous beam search."""

    def __init__(self, card: ModelCard, tokenizer: VocabularyTokenizer, module: Rnng, options: SearchOptions) -> None:
        require_finite(module, card.name)
        self.card = card
        self.tokenizer = tokenizer
        self.module = module.eval()
        self.search = Search(module, options)
        self.rows_per_block = beam_rows_per_block(module.options, options)
        self.scored = 0
        """Words scored since the model was loaded."""
        self.pruned_bits = 0.0
        """Bits to subtract from their sum if pruned parses had scored like kept ones."""

    def remarks(self) -> list[str]:
        """Report the average effect of pruning over all words scored so far."""
        if not self.scored:
            return []
        return [
            f"{self.card.name}: the beam pruned parses: surprisals are too high by about "
            f"{self.pruned_bits / self.scored:.4f} bits per word, if pruned parses had scored like kept ones "
            f"({self.scored:,} words scored)"
        ]

    @torch.inference_mode()
    def start(self) -> BeamState:
        """Return one row with one parse: the empty stack."""
        device = self.module.empty.device
        certain = torch.zeros(1, 1, dtype=torch.float64, device=device)
        tops = torch.full((1, 1), BOTTOM, device=device)
        none = torch.zeros(1, 1, 0, dtype=torch.int16, device=device)
        nothing = PrunedMass(certain[0] - inf, certain[0])
        return BeamState(empty_stack(self.module), Parses(tops, certain), none, nothing)

    @torch.inference_mode()
    def step(self, state: BeamState, rows: Indices, tokens: Indices, keep: Indices) -> tuple[Bits, BeamState]:
        """Score words after rows; the word beams of those named in keep are the new state."""
        device = self.module.empty.device
        parents, ids, kept = to_tensors(rows, tokens, keep, device=device)
        distinct, row_of = torch.unique(parents, return_inverse=True)
        wanted = torch.zeros(len(ids), dtype=torch.bool, device=device)
        wanted[kept] = True
        bits = torch.full((len(ids),), torch.nan, dtype=torch.float64, device=device)
        row_after = torch.full((len(ids),), -1, dtype=torch.int64, device=device)

        read, after = [], []
        for block in torch.split(torch.arange(len(distinct), device=device), self.rows_per_block):
            own = torch.nonzero((row_of >= block[0]) & (row_of <= block[-1]))[:, 0]
            try:
                own_bits, pruned, own_after = self.read(
                    state.rows(distinct[block]), row_of[own] - block[0], ids[own], wanted[own]
                )
            except SentenceError as error:
                raise SentenceError(str(error), int(own[error.number])) from error
            bits[own] = own_bits
            self.scored += len(pruned)
            self.pruned_bits += float(pruned.sum())
            read.append(own[wanted[own]])
            after.append(own_after)
        if not len(kept):
            return bits.cpu().numpy(), state.rows(kept)
        row_after[torch.cat(read)] = torch.arange(int(wanted.sum()), device=device)
        return bits.cpu().numpy(), concatenate_states(after).rows(row_after[kept])

    def read(self, state: BeamState, rows: Tensor, ids: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor, BeamState]:
        """Score words after rows; return their bits, those to subtract from each if pruned parses had scored like kept
        ones, and the word beams after those that are wanted."""
        if bool((ids[wanted] < FIRST_WORD).any()):
            raise ValueError(f"<s> ({BEGIN_ID}) and </s> ({END_ID}) cannot be read, only scored")
        nodes, tops = keep_reachable(state.nodes, state.parses.tops)
        arena = Arena(self.module, nodes, NODES_PER_ROW * len(tops))
        parses = Parses(tops, state.parses.logs)
        before = parses.total
        logs = torch.full((len(ids),), -inf, dtype=torch.float64, device=ids.device)  # no sentence contains <s>
        ends = ids == END_ID
        if bool(ends.any()):
            logs[ends] = self.search.close(arena, parses).total[rows[ends]]
        words = ids >= FIRST_WORD
        ready, ended = self.search.explore(arena, parses)
        everything = self.search.word_logs(arena, ready, rows[words], ids[words])
        beam, _ = everything.best(self.search.options.word_beam)
        logs[words] = beam.total
        # Bits below zero are rounding: every parse in a beam extends one in the beam before.
        bits = ((before[rows] - logs) / log(2)).clamp(min=0.0)
        self.refuse_dead(state, bits, rows=rows, ids=ids)
        reached = torch.logaddexp(ready.total, ended)
        pruned = (before - reached).clamp(min=0.0)[rows[words]] + (everything.total - beam.total).clamp(min=0.0)
        chosen = wanted[words]
        rows, ids = rows[words][chosen], ids[words][chosen]
        kept = Parses(beam.tops[chosen], beam.logs[chosen])
        mass = state.pruned.rows(rows).after(before[rows], reached[rows]).after(everything.total[chosen], kept.total)
        return bits, pruned / log(2), self.generate(arena, state, kept, rows=rows, ids=ids, pruned=mass)

    def refuse_dead(self, state: BeamState, bits: Tensor, *, rows: Tensor, ids: Tensor) -> None:
        """Raise where no parse generates a word: the search always finds some, but floats have their limits."""
        # No sentence contains <s>, and none ends before its first word: only these bits may be infinite.
        possible = (ids >= FIRST_WORD) | ((ids == END_ID) & (state.actions.shape[2] > 0))
        dead = bits.isnan() | (bits.isinf() & possible)
        if bool(dead.any()):
            index = int(dead.nonzero()[0])
            n_words = int((state.actions[rows[index], 0] == GEN).sum())
            raise self.dead_beam(n_words + 1, self.tokenizer.vocabulary.words[int(ids[index])], index)

    def dead_beam(self, position: int, word: str, index: int) -> SentenceError:
        """Make the error for a word that no parse generates."""
        return SentenceError(
            f"{self.card.name}: no parse has a probability at word {position} ({word!r}): the weights are too large to "
            "compute with; train it again, with a lower learning rate",
            index,
        )

    def generate(
        self, arena: Arena, state: BeamState, kept: Parses, *, rows: Tensor, ids: Tensor, pruned: PrunedMass
    ) -> BeamState:
        """Return the state after all kept parses have generated the word of their row."""
        there = kept.logs > -inf
        self.search.check_room(arena, int(there.sum()))
        tops = torch.full_like(kept.tops, -1)
        tops[there] = arena.generate(kept.tops[there], ids[:, None].expand_as(tops)[there])
        actions = self.trace(arena, state, tops, rows)
        nodes, tops = keep_reachable(arena.nodes, tops)
        return BeamState(nodes, Parses(tops, kept.logs), actions, pruned)

    def trace(self, arena: Arena, state: BeamState, tops: Tensor, rows: Tensor) -> Tensor:
        """Return the actions that led to each parse, from the beginning of the sentence."""
        store = arena.store
        current = tops.clamp(min=0)
        taken = []
        # A node older than this word is its own predecessor.
        while bool((is_new := store.previous[current] != current).any()):
            taken.append(torch.where(is_new, store.action[current], -1).to(torch.int16))
            current = store.previous[current]
        fresh = torch.stack(taken[::-1], dim=2) if taken else tops.new_zeros((*tops.shape, 0), dtype=torch.int16)
        # The parse of the previous state that each extends, found by the node on its top.
        _, old_tops = keep_reachable(state.nodes, state.parses.tops)
        column = torch.zeros(len(store), dtype=torch.int64, device=tops.device)
        there = old_tops >= 0
        column[old_tops[there]] = there.nonzero()[:, 1]
        before = state.actions[rows].gather(1, column[current][:, :, None].expand(-1, -1, state.actions.shape[2]))
        return torch.cat([before, fresh], dim=2)

    @torch.inference_mode()
    def parse(self, sentences: Sequence[Sequence[int]]) -> list[BestParse]:
        """Return the best tree in the beam of every sentence, given as word ids."""
        found: dict[int, BestParse] = {}
        active = list(range(len(sentences)))
        state = self.start().rows(torch.zeros(len(active), dtype=torch.int64))
        for position in range(max(map(len, sentences), default=0)):
            rows = list(range(len(active)))
            try:
                _, state = self.step(state, rows, [sentences[index][position] for index in active], rows)
            except SentenceError as error:
                raise SentenceError(str(error), active[error.number]) from error
            done = [row for row in rows if len(sentences[active[row]]) == position + 1]
            for row, parse in zip(done, self.finish(state.rows(torch.tensor(done, dtype=torch.int64))), strict=True):
                if not isfinite(parse.bits):
                    raise self.dead_beam(position + 2, END, active[row])
                found[active[row]] = parse
            left = [row for row in rows if len(sentences[active[row]]) > position + 1]
            state = state.rows(torch.tensor(left, dtype=torch.int64))
            active = [active[row] for row in left]
        return [found[index] for index in range(len(sentences))]

    @torch.inference_mode()
    def follow(self, sentence: Sequence[int]) -> list[PartialParse]:
        """Return the best parse after every word of a sentence, given as word ids."""
        found: list[PartialParse] = []
        state = self.start()
        for word in sentence:
            bits, state = self.step(state, [0], [word], [0])
            logs = state.parses.logs[0]
            best = int(logs.argmax())
            share = float((logs[best] - state.parses.total[0]).exp())
            found.append(PartialParse(state.actions_of(0, best), share, float(bits[0])))
        return found

    def finish(self, state: BeamState) -> list[BestParse]:
        """Return the best tree of every row if its sentence ends here."""
        if not len(state.parses.tops):
            return []
        nodes, tops = keep_reachable(state.nodes, state.parses.tops)
        arena = Arena(self.module, nodes, NODES_PER_ROW * len(tops))
        n_open = arena.store.n_open[tops.clamp(min=0)]
        closed = self.search.close(arena, Parses(tops, state.parses.logs))
        parses = []
        for row, column in enumerate(closed.logs.argmax(dim=1).tolist()):
            actions = state.actions_of(row, column) + [REDUCE] * int(n_open[row, column])
            bits = -float(closed.logs[row, column]) / log(2)
            parses.append(BestParse(actions, bits, -float(closed.total[row]) / log(2)))
        return parses


def beam_rows_per_block(shape: RnngOptions, options: SearchOptions) -> int:
    """Return how many rows fit in the memory of a search, even if every parse takes all actions within limits."""
    if options.action_beam is None:
        return 1
    most = options.action_beam * (shape.open_limit + shape.chain_limit) * bytes_per_node(shape)
    return max(1, min(ROWS_PER_BLOCK, MOST_BYTES // most))


def describe_rnng(name: str, module: Rnng, options: SearchOptions, *, fingerprint: str) -> ModelCard:
    """Make the card of an RNNG; the fingerprint must change with the beam."""
    shape = module.options
    return ModelCard(
        name=name,
        fingerprint=fingerprint,
        bos=BEGIN,
        end=END_ID,
        noise=BEAM_NOISE,
        bytes_per_state=NODES_PER_PARSE * (options.word_beam or PARSES_OF_ALL) * bytes_per_node(shape),
        decisions={
            "architecture": f"RNNG {shape.layers}x{shape.width}, {shape.vocabulary:,} words, {shape.labels} labels",
            "dtype": "float32",
            "bos": "the empty stack",
            "beam": f"actions {options.action_beam or 'all'}, words {options.word_beam or 'all'}, "
            f"fast track {options.fast_track}; the word's own probability counts in the word beam",
            "limits": f"{shape.open_limit} open constituents, {shape.chain_limit} opened in a row",
        },
    )
