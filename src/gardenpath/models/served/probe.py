"""The trial of a server when it is loaded: whether its log-probabilities are those of the text, and how exact."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gardenpath.errors import InputError, SentenceError
from gardenpath.models.protocol import Bits
from gardenpath.models.served.answers import EchoedToken
from gardenpath.models.served.http_client import MalformedServerError, RefusedRequestError, UnavailableServerError
from gardenpath.models.served.probe_texts import PROBE_TEXTS
from gardenpath.models.served.reading import MismatchError, Reading, own_tokens
from gardenpath.text.tokens import Encoded, Token

TEXTS_IN_A_REQUEST = len(PROBE_TEXTS)
"""The trial sends as many texts at once as a run does."""
LARGEST_DIFFERENCE = 0.5
"""Bits by which a token's surprisal may differ between two ways to compute it; a wrong token differs by several."""
MOST_NOISE = 0.5
"""Bits by which the total of a text may depend on the other texts in a request: twice what bfloat16 does."""
LEAST_NOISE = 1e-3
"""Bits, as in float32: a run sends other texts together than the trial."""
FEWEST_COMPARED = 3
PREFIXES = ((0, 3), (1, 4), (4, 2), (5, 5), (6, 2), (7, 6), (1, 7), (4, 6))
"""Text and number of tokens of the beginnings after which the server generates a token."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a trial found."""

    reading: Reading
    encoded: Encoded
    bits: Bits
    """Surprisals of the tokens of the probe texts."""
    noise: float
    compared: int
    """Tokens that were generated and echoed with the same surprisal."""
    difference: float
    """The largest difference between the two."""


class Comparison(NamedTuple):
    """The surprisal of a token as the server generated it, and as it scored it in a text."""

    token: str
    generated: float
    echoed: float


def try_server(reading: Reading) -> Trial:
    """Try a server that lists tokens with log-probabilities; raise an `InputError` unless they are right."""
    encoded = reading.tokenizer.encode(PROBE_TEXTS)
    reading = frame_texts(reading, encoded)
    found = list(compare_generated(reading))
    require_agreement(reading, found)
    reading = replace(reading, batch=texts_in_a_request(reading, encoded))
    with_first = choose_first(reading, encoded)
    singly = replace(with_first, batch=1, requests=1).score(PROBE_TEXTS, encoded)
    if not np.isfinite(singly[~is_first(encoded)]).all() or not singly[~is_first(encoded)].any():
        raise InputError(f"the server {reading.client.url} gives every word the probability 0 or 1; use another server")
    require_causal(reading, encoded, singly)
    noise = measure_noise(with_first, encoded, singly)
    difference = max(abs(one.generated - one.echoed) for one in found)
    return Trial(with_first, encoded, singly, noise, len(found), difference)


def is_first(encoded: Encoded) -> np.ndarray:
    """Tell which tokens are the first of a text."""
    return np.isin(np.arange(len(encoded.ids)), encoded.offsets[:-1])


def frame_texts(reading: Reading, encoded: Encoded) -> Reading:
    """Find out what the server lists before the tokens of a text: nothing, or one symbol."""
    text, tokens = PROBE_TEXTS[0], encoded.tokens(0)
    (answer,) = reading.dialect.ask([reading.prompt(text, tokens)])
    errors = []
    for size in (0, 1):
        before = answer.tokens[:size]
        try:
            own_tokens(text, tokens, answer, before)
        except MismatchError as error:
            errors.append(str(error))
        else:
            require_lead(reading, before)
            return replace(reading, before=tuple(replace(token, nats=None) for token in before))
    raise InputError(f"the server {reading.client.url} does not score texts as they are: {errors[0]}")


def require_lead(reading: Reading, before: Sequence[EchoedToken]) -> None:
    """Refuse a server that reads another symbol first than the one that was sent, or one more."""
    if isinstance(reading.lead, tuple):
        is_sent = tuple(token.id for token in before) == reading.lead
    else:  # some servers read the first symbol without listing it
        is_sent = not before or not reading.lead or before[0].text == reading.lead
    if not is_sent:
        raise InputError(
            f"the server {reading.client.url} reads {[token.text or token.id for token in before]} first, where "
            f"{reading.lead!r} was sent; choose another first symbol with --bos (`bos`)"
        )


def texts_in_a_request(reading: Reading, encoded: Encoded) -> int:
    """Find out whether a request may have several texts: many servers take one only, and refuse more."""
    if not reading.dialect.several:
        return 1
    prompts = [reading.prompt(text, encoded.tokens(row)) for row, text in enumerate(PROBE_TEXTS[:2])]
    try:
        reading.dialect.ask(prompts, tries=2)
    except MalformedServerError as error:
        raise InputError(f"several texts in a request are not answered one by one: {error}") from error
    except (RefusedRequestError, UnavailableServerError):
        return 1
    return TEXTS_IN_A_REQUEST


def choose_first(reading: Reading, encoded: Encoded) -> Reading:
    """Find out where the bits of first tokens come from."""
    text, tokens = PROBE_TEXTS[0], encoded.tokens(0)
    (answer,) = reading.dialect.ask([reading.prompt(text, tokens)])
    own = own_tokens(text, tokens, answer, reading.before)
    if own[0].nats is not None:
        return replace(reading, first="listed")
    return replace(reading, first="forced") if reading.lead and can_force(reading) else reading


def can_force(reading: Reading) -> bool:
    """Whether a token can be forced to follow the first symbol, and then has the surprisal it has of its own."""
    try:
        free = reading.dialect.next_token(reading.lead)
        if free is None or free.nats is None or not free.text:
            return False
        tokens = reading.tokenizer.encode([free.text]).tokens(0)
        forced = reading.dialect.next_token(reading.lead, force=tokens[0].id) if len(tokens) == 1 else None
    except (RefusedRequestError, UnavailableServerError, SentenceError):
        return False
    if forced is None or forced.nats is None or forced.text != free.text:
        return False
    return abs(forced.nats - free.nats) <= LEAST_NOISE


def compare_generated(reading: Reading) -> Iterator[Comparison]:
    """Let the server generate a token after some beginnings, and have it score the same token as part of a text.

    This is what shows that a log-probability belongs to its token: one that is listed beside its neighbour's differs.
    """
    for row, size in PREFIXES:
        text = PROBE_TEXTS[row]
        start = text[: reading.tokenizer.encode([text]).tokens(0)[size - 1].end]
        tokens = reading.tokenizer.encode([start]).tokens(0)
        generated = reading.dialect.next_token(reading.prompt(start, tokens))
        if generated is None or generated.nats is None or not math.isfinite(generated.nats):
            continue
        longer = lengthen(reading, start, tokens, generated)
        if longer is None:
            continue
        (answer,) = reading.dialect.ask([reading.prompt(*longer)])
        echoed = own_tokens(*longer, answer, reading.before)[-1]
        nats = math.nan if echoed.nats is None else echoed.nats
        yield Comparison(str(generated.text or generated.id), -generated.nats / math.log(2), -nats / math.log(2))


def lengthen(
    reading: Reading, text: str, tokens: Sequence[Token], generated: EchoedToken
) -> tuple[str, list[Token]] | None:
    """Return a text with a generated token at its end, if it is then read as the same tokens and this one."""
    if isinstance(reading.lead, tuple):
        if generated.id is None:
            return None
        return text, [*tokens, Token(generated.id, len(text), len(text), known=True)]
    if not generated.text or not generated.text.strip():
        return None
    try:
        longer = reading.tokenizer.encode([text + generated.text]).tokens(0)
    except SentenceError:
        return None
    if [token.id for token in longer[:-1]] != [token.id for token in tokens]:
        return None
    return text + generated.text, longer


def require_agreement(reading: Reading, found: Sequence[Comparison]) -> None:
    """Refuse a server whose log-probabilities are not those of the tokens beside which they are listed."""
    url = reading.client.url
    if len(found) < FEWEST_COMPARED:
        raise InputError(
            f"the server {url} cannot be tried: only {len(found)} of {len(PREFIXES)} tokens that it generated are also "
            "tokens of the lengthened text; use a server that takes token ids, such as vLLM"
        )
    worst = max(found, key=lambda one: difference_of(one.generated, one.echoed))
    if difference_of(worst.generated, worst.echoed) > LARGEST_DIFFERENCE:
        raise InputError(
            f"the server {url} lists log-probabilities beside the wrong tokens: {worst.token!r} has "
            f"{worst.generated:.2f} bits where it is generated, and {worst.echoed:.2f} where it is echoed. "
            "llama-cpp-python does so unless the text begins with the first symbol of the model: name that symbol with "
            "--bos (`bos`), such as '<|im_start|>' or '<s>'; otherwise use another server"
        )


def difference_of(one: float, other: float) -> float:
    """Return by how much two numbers differ; infinitely where one is missing."""
    return math.inf if math.isnan(one) or math.isnan(other) else abs(one - other)


def require_causal(reading: Reading, encoded: Encoded, bits: Bits) -> None:
    """Refuse a server where the surprisal of a token depends on later ones, by two texts with a common beginning."""
    first, second = (
        (encoded.ids[start:end], bits[start:end])
        for row, (start, end) in enumerate(pairwise(encoded.offsets))
        if PROBE_TEXTS[row].startswith("The keys to the cabinet")
    )
    same = 0
    while first[0][same] == second[0][same]:
        same += 1
    if not np.allclose(first[1][:same], second[1][:same], rtol=0, atol=LARGEST_DIFFERENCE, equal_nan=True):
        raise InputError(
            f"the server {reading.client.url} gives words other log-probabilities when the text goes on differently: "
            "it does not read from left to right, or lists them beside the wrong tokens; use another server"
        )


def measure_noise(reading: Reading, encoded: Encoded, singly: Bits) -> float:
    """Return the bits by which totals depend on what is sent together: a run's threshold for ties.

    The texts are sent in the opposite order, all at once.
    """
    backwards = reading.tokenizer.encode(PROBE_TEXTS[::-1])
    together = reading.score(PROBE_TEXTS[::-1], backwards)
    parts = np.split(together, backwards.offsets[1:-1])[::-1]
    alone = np.split(singly, encoded.offsets[1:-1])
    differences = [np.abs(np.nan_to_num(one) - np.nan_to_num(other)) for one, other in zip(alone, parts, strict=True)]
    totals = [abs(np.nansum(one) - np.nansum(other)) for one, other in zip(alone, parts, strict=True)]  # in bits
    largest = float(max(*(part.max() for part in differences), *totals))
    if largest > MOST_NOISE:
        raise InputError(
            f"the server {reading.client.url} gives other numbers when other texts are sent with a text: they differ "
            f"by {largest:.2f} bits, more than {MOST_NOISE}; start it without a cache of prefixes (vLLM: "
            "--no-enable-prefix-caching), in a higher precision, or with VLLM_BATCH_INVARIANT=1"
        )
    return max(LEAST_NOISE, round_up(2 * largest))


def round_up(value: float) -> float:
    """Round up to 1, 2 or 5 times a power of ten, so that trials of one server agree.

    >>> round_up(0.0031), round_up(0.5), round_up(0.0)
    (0.005, 0.5, 0.0)
    """
    if value <= 0:
        return 0.0
    power = math.floor(math.log10(value))
    return next(float(f"{digit}e{power}") for digit in (1, 2, 5, 10) if float(f"{digit}e{power}") >= value)
