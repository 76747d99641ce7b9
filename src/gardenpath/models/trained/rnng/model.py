"""An RNNG as a language model: its state is the word beam, a set of parses of what was read."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from math import inf, isfinite, log

import numpy as np
import torch
from torch import Tensor

from gardenpath.errors import InputError, SentenceError
from gardenpath.models.pretrained.workers import Workers
from gardenpath.models.protocol import Bits, Indices, ModelCard
from gardenpath.models.trained.rnng.arena import BOTTOM, Arena, bytes_per_node, empty_stack, keep_reachable
from gardenpath.models.trained.rnng.module import FIRST_WORD, Rnng, RnngOptions
from gardenpath.models.trained.rnng.options import SearchOptions
from gardenpath.models.trained.rnng.search import MOST_BYTES, Parses, Search
from gardenpath.models.trained.rnng.state import BeamState, Loss, join_states
from gardenpath.text.vocabulary import BEGIN, END, VocabularyTokenizer
from gardenpath.trees.transitions import GEN, REDUCE

BEGIN_ID, END_ID = 0, 1
"""<s> and </s> in every vocabulary of ours."""
ROWS_PER_BLOCK = 24
"""Rows that are explored together, at most."""
NODES_PER_ROW = 400
"""That the exploration of a row adds, about."""
NODES_PER_PARSE = 6
"""That a row keeps for each parse of its word beam, about: most of what is below is shared."""
PARSES_OF_ALL = 1000
"""Of a row, where the beam has no limit, about."""
NOISE = 1e-3
"""Bits by which a price may move with the shape of the batch, in float32, as long as no parse changes places."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Of some words, or ends of sentences."""

    bits: Tensor
    lost: Tensor
    """By how much the bits of each word would be lower, had what was given up for it fared like what was kept."""


@dataclass(frozen=True, slots=True)
class Parse:
    """The most probable tree of a sentence among those of the beam."""

    actions: list[int]
    bits: float
    """-log2 p(tree, words)."""
    sentence_bits: float
    """-log2 of the sum over all trees of the beam."""


@dataclass(frozen=True, slots=True)
class BestSoFar:
    """The most probable parse of the beginning of a sentence, after one of its words."""

    actions: list[int]
    """The last is the GEN of the word."""
    share: float
    """Of the probability of all parses in the beam."""
    bits: float
    """What the word cost."""


class RnngModel:
    """An RNNG that reads left to right, by word-synchronous beam search."""

    def __init__(self, card: ModelCard, tokenizer: VocabularyTokenizer, module: Rnng, options: SearchOptions) -> None:
        broken = [name for name, weight in module.named_parameters() if not bool(weight.isfinite().all())]
        if broken:
            raise InputError(f"{card.name}: weights are not numbers ({', '.join(broken)}); train it anew")
        self.card = card
        self.tokenizer = tokenizer
        self.module = module.eval()
        self.search = Search(module, options)
        self.workers = Workers(module.empty.device)
        self.rows_per_block = rows_per_block(module.options, options)
        self.priced = 0
        """Words, since the model was loaded."""
        self.lost = 0.0
        """Bits by which their prices together would be lower, had the parses given up fared like those kept."""

    def remarks(self) -> list[str]:
        """What the beam cost, on average, over all that was priced so far."""
        if not self.priced:
            return []
        return [
            f"{self.card.name}: the beam gave up parses: prices are too high by about {self.lost / self.priced:.4f} "
            f"bits per word, if what was given up fared like what was kept ({self.priced:,} words priced)"
        ]

    @torch.inference_mode()
    def start(self) -> BeamState:
        """One row with one parse: nothing on the stack."""
        device = self.module.empty.device
        certain = torch.zeros(1, 1, dtype=torch.float64, device=device)
        tops = torch.full((1, 1), BOTTOM, device=device)
        none = torch.zeros(1, 1, 0, dtype=torch.int16, device=device)
        nothing = Loss(certain[0] - inf, certain[0])
        return BeamState(empty_stack(self.module), Parses(tops, certain), none, nothing)

    @torch.inference_mode()
    def step(self, state: BeamState, rows: Indices, tokens: Indices, keep: Indices) -> tuple[Bits, BeamState]:
        """Price words after rows; the word beams of those named in keep are the new state."""
        device = self.module.empty.device
        ids = torch.as_tensor(np.asarray(tokens, dtype=np.int64), device=device)
        distinct, places = torch.unique(
            torch.as_tensor(np.asarray(rows, dtype=np.int64), device=device), return_inverse=True
        )
        kept = torch.as_tensor(np.asarray(keep, dtype=np.int64), device=device)
        wanted = torch.zeros(len(ids), dtype=torch.bool, device=device)
        wanted[kept] = True
        bits = torch.full((len(ids),), torch.nan, dtype=torch.float64, device=device)
        order = torch.full((len(ids),), -1, dtype=torch.int64, device=device)

        def compute(block: Tensor) -> tuple[Tensor, Prices, Tensor, BeamState]:
            asked = torch.nonzero((places >= block[0]) & (places <= block[-1]))[:, 0]
            before = state.rows(distinct[block])
            try:
                found, after = self.read(before, places[asked] - block[0], ids[asked], wanted[asked])
            except SentenceError as error:
                raise SentenceError(str(error), int(asked[error.number])) from error
            return asked, found, asked[wanted[asked]], after

        def compute_all(rows: Tensor) -> list[tuple[Tensor, Prices, Tensor, BeamState]]:
            # A worker that is alone is given all rows at once, however many.
            return [compute(block) for block in torch.split(rows.to(device), self.rows_per_block)]

        parts = self.workers.each(compute_all, len(distinct), self.rows_per_block) if len(ids) else []
        after_parts, read = [], 0
        for asked, found, going_on, after in chain.from_iterable(parts):
            bits[asked] = found.bits
            self.priced += len(found.lost)
            self.lost += float(found.lost.sum())
            order[going_on] = torch.arange(read, read + len(going_on), device=device)
            read += len(going_on)
            after_parts.append(after)
        if not len(kept):
            return bits.cpu().numpy(), state.rows(kept)
        return bits.cpu().numpy(), join_states(after_parts).rows(order[kept])

    def read(self, state: BeamState, rows: Tensor, ids: Tensor, wanted: Tensor) -> tuple[Prices, BeamState]:
        """Prices of words after rows, and the word beams after those that are wanted."""
        if bool((ids[wanted] < FIRST_WORD).any()):
            raise ValueError(f"<s> ({BEGIN_ID}) and </s> ({END_ID}) cannot be read, only priced")
        nodes, tops = keep_reachable(state.nodes, state.parses.tops)
        arena = Arena(self.module, nodes, NODES_PER_ROW * len(tops))
        parses = Parses(tops, state.parses.logs)
        before = parses.total
        logs = torch.full((len(ids),), -inf, dtype=torch.float64, device=ids.device)  # a sentence never has <s> in it
        ends = ids == END_ID
        if bool(ends.any()):
            logs[ends] = self.search.close(arena, parses).total[rows[ends]]
        words = ids >= FIRST_WORD
        explored = self.search.explore(arena, parses)
        everything = self.search.word_logs(arena, explored.ready, rows[words], ids[words])
        beam, _ = everything.best(self.search.options.word_beam)
        logs[words] = beam.total
        # Below zero is rounding only: a beam holds nothing that the beam before it does not.
        bits = ((before[rows] - logs) / log(2)).clamp(min=0.0)
        self.refuse_dead(state, bits, rows=rows, ids=ids)
        reached = torch.logaddexp(explored.ready.total, explored.ended)
        lost = (before - reached).clamp(min=0.0)[rows[words]] + (everything.total - beam.total).clamp(min=0.0)
        going_on = wanted[words]
        rows, ids = rows[words][going_on], ids[words][going_on]
        kept = Parses(beam.tops[going_on], beam.logs[going_on])
        loss = state.loss.rows(rows).after(before[rows], reached[rows]).after(everything.total[going_on], kept.total)
        return Prices(bits, lost / log(2)), self.generate(arena, state, kept, rows=rows, ids=ids, loss=loss)

    def refuse_dead(self, state: BeamState, bits: Tensor, *, rows: Tensor, ids: Tensor) -> None:
        """Raise where no parse generates a word: the search always finds some, but numbers have their limits."""
        # No sentence has <s> in it, and none ends before its first word: only these prices may be infinite.
        possible = (ids >= FIRST_WORD) | ((ids == END_ID) & (state.actions.shape[2] > 0))
        dead = bits.isnan() | (bits.isinf() & possible)
        if bool(dead.any()):
            place = int(dead.nonzero()[0])
            n_words = int((state.actions[rows[place], 0] == GEN).sum())
            raise self.dead(n_words + 1, self.tokenizer.vocabulary.words[int(ids[place])], place)

    def dead(self, place: int, word: str, number: int) -> SentenceError:
        """What to say where no parse is left."""
        return SentenceError(
            f"{self.card.name}: no parse has a probability at word {place} ({word!r}): the weights are too large to "
            "compute with; train it anew, with a lower learning rate",
            number,
        )

    def generate(
        self, arena: Arena, state: BeamState, kept: Parses, *, rows: Tensor, ids: Tensor, loss: Loss
    ) -> BeamState:
        """The state after all parses that were kept have generated the word of their row."""
        there = kept.logs > -inf
        self.search.check_room(arena, int(there.sum()))
        tops = torch.full_like(kept.tops, -1)
        tops[there] = arena.generate(kept.tops[there], ids[:, None].expand_as(tops)[there])
        actions = self.trace(arena, state, tops, rows)
        nodes, tops = keep_reachable(arena.nodes, tops)
        return BeamState(nodes, Parses(tops, kept.logs), actions, loss)

    def trace(self, arena: Arena, state: BeamState, tops: Tensor, rows: Tensor) -> Tensor:
        """The actions that led to each parse, from the beginning of the sentence."""
        store = arena.store
        current = tops.clamp(min=0)
        taken = []
        # A node that was there before this word is its own predecessor.
        while bool((store.previous[current] != current).any()):
            is_new = store.previous[current] != current
            taken.append(torch.where(is_new, store.action[current], -1).to(torch.int16))
            current = store.previous[current]
        fresh = torch.stack(taken[::-1], dim=2) if taken else tops.new_zeros((*tops.shape, 0), dtype=torch.int16)
        # The parse of the state before from which each came, found by the node it had on top.
        _, old_tops = keep_reachable(state.nodes, state.parses.tops)
        column = torch.zeros(len(store), dtype=torch.int64, device=tops.device)
        there = old_tops >= 0
        column[old_tops[there]] = there.nonzero()[:, 1]
        came_from = column[current]
        before = state.actions[rows].gather(1, came_from[:, :, None].expand(-1, -1, state.actions.shape[2]))
        return torch.cat([before, fresh], dim=2)

    @torch.inference_mode()
    def parse(self, sentences: Sequence[Sequence[int]]) -> list[Parse]:
        """The best tree of every sentence (numbers of words), as far as the beam saw it."""
        found: dict[int, Parse] = {}
        going_on = list(range(len(sentences)))
        state = self.start().rows(torch.zeros(len(going_on), dtype=torch.int64))
        for place in range(max(map(len, sentences), default=0)):
            rows = list(range(len(going_on)))
            try:
                _, state = self.step(state, rows, [sentences[number][place] for number in going_on], rows)
            except SentenceError as error:
                raise SentenceError(str(error), going_on[error.number]) from error
            done = [row for row in rows if len(sentences[going_on[row]]) == place + 1]
            for row, parse in zip(done, self.finish(state.rows(torch.tensor(done, dtype=torch.int64))), strict=True):
                if not isfinite(parse.bits):
                    raise self.dead(place + 2, END, going_on[row])
                found[going_on[row]] = parse
            left = [row for row in rows if len(sentences[going_on[row]]) > place + 1]
            state = state.rows(torch.tensor(left, dtype=torch.int64))
            going_on = [going_on[row] for row in left]
        return [found[number] for number in range(len(sentences))]

    @torch.inference_mode()
    def follow(self, sentence: Sequence[int]) -> list[BestSoFar]:
        """The best parse after every word of a sentence (numbers of words): what a reader would believe so far."""
        found: list[BestSoFar] = []
        state = self.start()
        for word in sentence:
            bits, state = self.step(state, [0], [word], [0])
            logs = state.parses.logs[0]
            best = int(logs.argmax())
            actions = [action for action in state.actions[0, best].tolist() if action >= 0]
            found.append(BestSoFar(actions, float((logs[best] - state.parses.total[0]).exp()), float(bits[0])))
        return found

    def finish(self, state: BeamState) -> list[Parse]:
        """The best tree of every row when its sentence ends here."""
        if not len(state.parses.tops):
            return []
        nodes, tops = keep_reachable(state.nodes, state.parses.tops)
        arena = Arena(self.module, nodes, NODES_PER_ROW * len(tops))
        n_open = arena.store.n_open[tops.clamp(min=0)]
        closed = self.search.close(arena, Parses(tops, state.parses.logs))
        best = closed.logs.argmax(dim=1)
        parses = []
        for row, column in enumerate(best.tolist()):
            actions = [action for action in state.actions[row, column].tolist() if action >= 0]
            actions += [REDUCE] * int(n_open[row, column])
            bits = -float(closed.logs[row, column]) / log(2)
            parses.append(Parse(actions, bits, -float(closed.total[row]) / log(2)))
        return parses


def rows_per_block(shape: RnngOptions, options: SearchOptions) -> int:
    """How many rows fit in the memory of a search, even if every parse closes and opens all that the limits allow."""
    if options.action_beam is None:
        return 1
    most = options.action_beam * (shape.open_limit + shape.chain_limit) * bytes_per_node(shape)
    return max(1, min(ROWS_PER_BLOCK, MOST_BYTES // most))


def describe_rnng(name: str, module: Rnng, options: SearchOptions, *, fingerprint: str) -> ModelCard:
    """The card of an RNNG; the fingerprint must change with the beam."""
    shape = module.options
    return ModelCard(
        name=name,
        fingerprint=fingerprint,
        bos=BEGIN,
        end=END_ID,
        noise=NOISE,
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
