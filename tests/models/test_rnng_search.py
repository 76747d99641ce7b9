"""The beam beside exhaustive enumeration, and what a language model promises."""

from itertools import pairwise
from math import exp

import numpy as np
import pytest
import torch

from gardenpath.errors import SentenceError
from gardenpath.models.conformance import CHECK_SENTENCES, check_model
from gardenpath.models.trained.rnng.model import RnngModel, beam_rows_per_block, describe_rnng
from gardenpath.models.trained.rnng.module import Rnng, RnngOptions
from gardenpath.models.trained.rnng.options import SearchOptions
from gardenpath.scoring.score import score_texts
from gardenpath.text.vocabulary import BEGIN, END, Vocabulary, VocabularyTokenizer
from literal_rnng import LiteralRnng, small_rnng
from refusals import refused

EVERYTHING = SearchOptions(action_beam=None, word_beam=None, fast_track=0)
WORDS = tuple(
    dict.fromkeys(word for text in CHECK_SENTENCES for word in text.replace(".", " . ").replace(",", " , ").split())
)
VOCABULARY = Vocabulary((BEGIN, END, "<unk>", *WORDS), "single")
BITS = np.log(2)
pytestmark = pytest.mark.usefixtures("one_thread")


def toy(seed: int = 3) -> Rnng:
    """Two labels, four words, at most three constituents open and two opened in a row: a few hundred parses."""
    return small_rnng(seed, scale=0.7, vocabulary=6, labels=2, open_limit=3, chain_limit=2)


def model_of(module: Rnng, options: SearchOptions = EVERYTHING) -> RnngModel:
    card = describe_rnng("toy", module, options, fingerprint="toy")
    return RnngModel(card, VocabularyTokenizer(VOCABULARY, "penn"), module, options)


def bits_of(model: RnngModel, words: list[int]) -> list[float]:
    state, found = model.start(), []
    for word in words:
        bits, state = model.step(state, [0], [word], [0] if word > 1 else [])
        found.extend(bits.tolist())
    return found


@pytest.mark.parametrize("seed", [3, 4])
def test_unlimited_beam_is_exhaustive_enumeration(seed: int) -> None:
    module = toy(seed)
    literal = LiteralRnng(module)
    words = [2, 4, 4]
    logs = [0.0, *(literal.log_prefix(words[: place + 1]) for place in range(3)), literal.log_sentence(words)]
    expected = [(before - after) / BITS for before, after in pairwise(logs)]
    assert bits_of(model_of(module), [*words, 1]) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("limits", [(1, 1), (2, 1), (2, 2), (3, 3)])
def test_limits_are_those_of_the_literal_one(limits: tuple[int, int]) -> None:
    module = small_rnng(5, scale=0.7, vocabulary=5, labels=2, open_limit=limits[0], chain_limit=limits[1])
    literal = LiteralRnng(module)
    assert sum(bits_of(model_of(module), [3, 2, 1])) == pytest.approx(-literal.log_sentence([3, 2]) / BITS, abs=1e-6)


def test_probabilities_of_all_words_and_the_end_sum_to_one() -> None:
    model = model_of(toy())
    state = model.start()
    for word in (3, 2, 5):
        bits, after = model.step(state, [0] * 7, [0, 1, 2, 3, 4, 5, word], [6])
        assert np.exp2(-bits[:6]).sum() == pytest.approx(1, abs=1e-6)
        state = after
    assert torch.isneginf(state.pruned.most).all()
    assert state.pruned.bits.item() == pytest.approx(0, abs=1e-6)


def test_no_sentence_is_empty_and_none_has_a_beginning_in_it() -> None:
    model = model_of(toy())
    bits, _ = model.step(model.start(), [0, 0], [0, 1], [])
    assert np.isposinf(bits).all()
    with pytest.raises(ValueError, match="cannot be read"):
        model.step(model.start(), [0], [1], [0])


@pytest.mark.parametrize("options", [SearchOptions(40, 8), SearchOptions(8, 4), SearchOptions(4, 2, 0)])
def test_a_beam_gives_a_bound_and_knows_how_far_off_it_may_be(options: SearchOptions) -> None:
    module = toy()
    model, literal = model_of(module, options), LiteralRnng(module)
    state, log = model.start(), 0.0
    for place, word in enumerate([2, 4, 4]):
        bits, state = model.step(state, [0], [word], [0])
        log -= float(bits[0]) * BITS
        exact = literal.log_prefix([2, 4, 4][: place + 1])
        assert log == pytest.approx(float(state.parses.total[0]), abs=1e-6)
        assert log <= exact + 1e-6
        assert state.pruned.bits.item() >= 0
        assert np.exp(exact) <= np.exp(log) + float(state.pruned.most.exp()[0]) + 1e-6


def test_larger_beams_are_nearer() -> None:
    module = toy()
    totals = [sum(bits_of(model_of(module, SearchOptions(size * 10, size)), [2, 4, 4])) for size in (1, 10, 100)]
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] == pytest.approx(sum(bits_of(model_of(module), [2, 4, 4])), abs=0.2)


@pytest.mark.parametrize("action", [0, 1, 2])
@pytest.mark.parametrize("options", [SearchOptions(1, 1, 0), SearchOptions(1, 1, 1), SearchOptions(2, 1, 0)])
def test_the_smallest_beam_never_dies(action: int, options: SearchOptions) -> None:
    # One action is so probable that it is always the best: close all, generate for ever, open all that can be.
    module = toy()
    with torch.no_grad():
        module.action_head.bias[action] = 30
    assert np.isfinite(bits_of(model_of(module, options), [2, 3, 4, 3, 2, 1])).all()


def test_weights_that_are_no_numbers_are_refused() -> None:
    module = toy()
    with torch.no_grad():
        module.composed.bias[0] = torch.nan
    refused(r"composed\.bias", model_of, module)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_beam_that_dies_is_reported_with_the_word(sign: int) -> None:
    # In single precision the logit of a word, or of GEN, is beyond all numbers.
    module = toy().float()
    with torch.no_grad():
        module.words.weight[2] = torch.finfo(torch.float32).max
        module.stack[0].input_weight[:] = 3e38 * sign
        module.word_head.weight[:] = 3e38
    model = model_of(module, SearchOptions(10, 2))
    refused(r"toy: no parse has a probability at word \d \('\w+'\)", bits_of, model, [4, 3, 2])


def test_a_word_without_probability_is_reported() -> None:
    module = toy()
    model = model_of(module, SearchOptions(10, 2))
    with torch.no_grad():
        module.word_head.bias[5 - 2] = -1e400
    assert VOCABULARY.words[5] == "to"
    _, state = model.step(model.start(), [0], [2], [0])
    with pytest.raises(SentenceError, match=r"at word 2 \('to'\): the weights are too large") as told:
        model.step(state, [0, 0], [3, 5], [])
    assert told.value.number == 1
    with pytest.raises(SentenceError, match=r"at word 3 \('to'\)") as told:
        model.parse([[2], [3, 4, 3], [3, 3, 5]])
    assert told.value.number == 2


def test_the_sentence_in_which_a_beam_dies_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of(english(), SearchOptions(10, 2))
    monkeypatch.setattr(model, "rows_per_block", 2)
    texts = ["The keys", "A key", "The author that the keys", "Keys", "The author that to", "The author"]
    with torch.no_grad():
        model.module.word_head.bias[VOCABULARY.ids["to"] - 2] = -np.inf
    with pytest.raises(SentenceError, match=r"^sentence 'The author that to': toy: .* word 4 \('to'\)") as told:
        score_texts(model, texts)
    assert told.value.number == 4


def test_an_end_without_probability_is_reported() -> None:
    module = toy()
    model = model_of(module, SearchOptions(10, 2))
    _, state = model.step(model.start(), [0], [2], [0])
    with torch.no_grad():
        module.action_head.bias[0] = -np.inf
    with pytest.raises(SentenceError, match=r"at word 2 \('</s>'\)"):
        model.step(state, [0], [1], [])
    with pytest.raises(SentenceError, match=r"at word 3 \('</s>'\)") as told:
        model.parse([[2, 3, 4], [2, 3]])
    assert told.value.number == 1


@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_fast_track_leaves_half_of_a_beam_to_the_best(size: int) -> None:
    # To open constituents is by far the best, and generates nothing: a beam full of what generates would never do it.
    module = toy()
    with torch.no_grad():
        module.action_head.bias[2] = 30
    parses = [model_of(module, SearchOptions(size, 1, track)).parse([[2, 4, 4]]) for track in (0, 1)]
    assert parses[1][0].actions == parses[0][0].actions
    assert parses[1][0].actions[:3] == [2, 2, 1]


def test_beams_beyond_all_numbers() -> None:
    assert bits_of(model_of(toy(), SearchOptions(10**20, 10**20)), [2, 4]) == pytest.approx(
        bits_of(model_of(toy()), [2, 4]), abs=1e-6
    )


def english(**options: float) -> Rnng:
    return small_rnng(7, scale=0.4, vocabulary=len(VOCABULARY), labels=3, **options).float()


@pytest.mark.parametrize("options", [SearchOptions(20, 5, 0), SearchOptions(5, 1, 2)])
def test_model_keeps_its_promises(options: SearchOptions) -> None:
    check_model(model_of(english(), options))


def test_sum_is_among_the_promises_when_nothing_is_left_out() -> None:
    module = english(open_limit=2, chain_limit=1)
    texts = ["The keys to the cabinet", "The author that", "The keys"]
    check_model(model_of(module, EVERYTHING), texts, vocabulary_size=len(VOCABULARY))


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of(english(), SearchOptions(30, 6))
    whole = score_texts(model, CHECK_SENTENCES)
    monkeypatch.setattr(model, "rows_per_block", 2)
    assert score_texts(model, CHECK_SENTENCES).bits == pytest.approx(whole.bits, abs=1e-3)


def test_rows_are_taken_a_block_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of(english(), SearchOptions(5, 2))
    sizes, read = [], model.read

    def counted(state, *arguments):
        sizes.append(len(state.parses.tops))
        return read(state, *arguments)

    monkeypatch.setattr(model, "read", counted)
    model.parse([[2], [3]] * 25)
    assert sizes == [24, 24, 2]


def test_best_parse_is_the_best_of_all() -> None:
    module = toy()
    literal = LiteralRnng(module)
    sentences = [[2, 4, 4], [5], [3, 3]]
    found = model_of(module).parse(sentences)
    for words, parse in zip(sentences, found, strict=True):
        with torch.no_grad():
            logs = [
                (log + literal.closing(stack), actions + [0] * sum(element.label is not None for element in stack))
                for log, actions, stack in literal.parses(words)
            ]
        log, actions = max(logs)
        assert parse.actions == actions
        assert parse.bits == pytest.approx(-log / BITS, abs=1e-6)
        assert parse.sentence_bits == pytest.approx(-literal.log_sentence(words) / BITS, abs=1e-6)


def test_best_parse_so_far_is_the_best_of_all_beginnings() -> None:
    module = toy()
    literal = LiteralRnng(module)
    words = [2, 4, 4]
    model = model_of(module)
    found = model.follow(words)
    assert [best.bits for best in found] == pytest.approx(bits_of(model, words))
    for place, best in enumerate(found, start=1):
        with torch.no_grad():
            log, actions = max((log, actions) for log, actions, _ in literal.parses(words[:place]))
        assert best.actions == actions
        assert best.share == pytest.approx(exp(log - literal.log_prefix(words[:place])), abs=1e-6)


def test_a_parse_costs_what_its_tree_costs() -> None:
    module = small_rnng(8, scale=0.5)
    model, literal = model_of(module, SearchOptions(20, 5)), LiteralRnng(module)
    sentences = [[2, 5, 7, 3, 3, 9], [4, 4], [11, 10, 9]]
    for words, parse in zip(sentences, model.parse(sentences), strict=True):
        with torch.no_grad():
            nats = sum(literal.nats(parse.actions, words))
        assert parse.bits == pytest.approx(nats.item() / BITS, abs=1e-5)


def test_beams_that_no_memory_holds_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gardenpath.models.trained.rnng.search.MOST_BYTES", 1 << 30)
    # Before the first word, 26 labels make 26 + 26² + … + 26⁸ parses.
    module = small_rnng(1, vocabulary=6, labels=26, width=24)
    message = r"beam all/10/1: there are [\d,]+ parses to follow .* more than 1 GiB .* such as 100/10"
    refused(message, bits_of, model_of(module, SearchOptions(None, 10)), [2, 3])
    assert np.isfinite(bits_of(model_of(module, SearchOptions(1000, None)), [2, 3])).all()


def test_all_parses_of_many_rows_are_refused_when_a_word_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of(toy())
    monkeypatch.setattr("gardenpath.models.trained.rnng.search.MOST_BYTES", 100_000)
    refused("beam all/all/0", model.step, model.start(), [0] * 40, [2] * 40, list(range(40)))


@pytest.mark.parametrize(("beam", "rows"), [(100, 24), (1000, 3), (100_000, 1), (None, 1)])
def test_larger_beams_take_fewer_rows_at_once(beam: int | None, rows: int) -> None:
    shape = RnngOptions(10, 26, 256, 256, 2, 0.3, tied=False, open_limit=100, chain_limit=8)
    # 100 parses, up to 108 actions, and 1280 numbers and 8 pointers each: 55 MiB of 2 GiB.
    assert beam_rows_per_block(shape, SearchOptions(beam, 10)) == rows


@pytest.mark.parametrize("wrong", [{"action_beam": 0}, {"word_beam": -1}, {"fast_track": -1}])
def test_beams_hold_at_least_one(wrong: dict[str, int]) -> None:
    refused(next(iter(wrong)), SearchOptions, **wrong)
