"""Models behind a server (`api:URL#MODEL`): found out about, tried, and read as models that score whole texts."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_text
from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.models.served.address import ServerAddress, parse_address
from gardenpath.models.served.answers import EchoedToken, Prompt
from gardenpath.models.served.dialects import Dialect
from gardenpath.models.served.find_dialect import find_dialect, reported_models
from gardenpath.models.served.http_client import Client, Patience, warn_of_open_key
from gardenpath.models.served.probe import LARGEST_DIFFERENCE, Trial, try_server
from gardenpath.models.served.probe_texts import PROBE_TEXTS
from gardenpath.models.served.reading import Reading
from gardenpath.models.served.remembered_trials import recognise
from gardenpath.models.served.remote_tokenizer import RemoteTokenizer, find_tokenizer
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.text.tokens import Encoded

TIMEOUT_VARIABLE, REQUESTS_VARIABLE = "GARDENPATH_API_TIMEOUT", "GARDENPATH_API_REQUESTS"
"""Environment variables: seconds for an answer, and requests at a time."""
REQUESTS = 4
VERSION = 1
"""Raise it when served models are read in another way: what was stored before is then not used."""


@dataclass
class ServedModel:
    """A model behind a server; scores whole texts."""

    card: ModelCard
    tokenizer: SubwordTokenizer | RemoteTokenizer
    reading: Reading

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        """Return the tokens of every text and the bits of each, as the server computes them."""
        encoded = self.tokenizer.encode(texts)
        return encoded, self.reading.score(texts, encoded)


def load_served(rest: str, *, bos: str = "default", patience: Patience | None = None) -> ServedModel:
    """Load the model that `URL#MODEL` names, if its server gives the log-probabilities of texts, and right ones.

    `bos` is sent before every text; by default the server decides what is read first.
    """
    address = parse_address(rest)
    warn_of_open_key(address.url)
    client = Client(address.url, patience or Patience(timeout=number_from(TIMEOUT_VARIABLE, Patience().timeout)))
    models = reported_models(client)
    dialect = find_dialect(client, address.model, models, plain=bos != "default")
    requests = int(number_from(REQUESTS_VARIABLE, REQUESTS))
    tokenizer: Any
    if address.tokenizer is None:
        tokenizer = find_tokenizer(client, address.model, PROBE_TEXTS, requests=requests)
    else:
        from gardenpath.models.pretrained.load_causal import read_tokenizer

        tokenizer, _ = read_tokenizer(address.tokenizer)
    lead = choose_lead(dialect, tokenizer, bos)
    trial = try_server(Reading(client, dialect, tokenizer, lead, requests=requests))
    if bos == "none" and trial.reading.first != "missing":
        raise InputError(f"the server {address.url} reads a symbol before every text; leave out --bos none (`bos`)")
    reported: Mapping[str, Any] = next((row for row in models if row.get("id") == address.model), {"listed": models})
    return ServedModel(describe(address, trial, bos, reported), tokenizer, trial.reading)


def number_from(variable: str, default: float) -> float:
    """Read a positive number from an environment variable."""
    written = os.environ.get(variable)
    if not written:
        return default
    try:
        value = float(written)
    except ValueError:
        value = 0.0
    if not 1 <= value < 1e6:
        raise InputError(f"the environment variable {variable} is {written!r}; it must be a number from 1 on")
    return value


def choose_lead(dialect: Dialect, tokenizer: SubwordTokenizer | RemoteTokenizer, bos: str) -> Prompt:
    """Return what is sent before every text, as ids or as a text."""
    if not dialect.takes_ids:
        return "" if bos in ("default", "none") else bos
    if bos == "none":
        return ()
    if bos != "default":
        return (symbol_id(tokenizer, bos),)
    # What the server itself would read before a text that is sent as such.
    text = PROBE_TEXTS[0]
    own = [token.id for token in tokenizer.encode([text]).tokens(0)]
    (answer,) = dialect.ask([text])
    listed = [token.id for token in answer.tokens]
    if listed[len(listed) - len(own) :] != own or len(listed) > len(own) + 1:
        raise InputError(
            f"the server reads {text!r} as the tokens {listed}, and its tokenizer makes {own} of it; write "
            ",tokenizer=DIR after the name of the model, with a folder that has the model's own tokenizer"
        )
    return tuple(id_ for id_ in listed[: len(listed) - len(own)] if id_ is not None)


def symbol_id(tokenizer: SubwordTokenizer | RemoteTokenizer, symbol: str) -> int:
    """Return the id of a first symbol."""
    if isinstance(tokenizer, SubwordTokenizer):
        return tokenizer.id_of(symbol)
    ids = tokenizer.cut(symbol).ids
    if len(ids) != 1:
        raise InputError(f"the server reads {symbol!r} (`bos`) as {len(ids)} tokens; name one of its symbols, or none")
    return ids[0]


def describe(address: ServerAddress, trial: Trial, bos: str, reported: Mapping[str, Any]) -> ModelCard:
    """Make the card of a served model, and find its fingerprint."""
    reading = trial.reading
    if isinstance(reading.tokenizer, SubwordTokenizer):
        cut = f"{address.tokenizer} {digest_text(reading.tokenizer.backend.to_str())}"
    else:
        cut = f"the server's ({reading.tokenizer.route.name})"
    symbol = first_symbol(reading, bos)
    decisions = {
        "server": address.url,
        "model": address.model,
        "reported by the server": repr(dict(reported)),
        "protocol": reading.dialect.name,
        "prompts": "token ids" if isinstance(reading.lead, tuple) else "texts",
        "tokenizer": cut,
        "sent first": repr(reading.lead),
        "first token": reading.first,
    }
    identity = {"version": VERSION, **decisions, "tokens": trial.encoded.ids.tolist()}
    fingerprint, noise = recognise(identity, trial.bits, trial.noise)
    found = {
        "bos": symbol or "none: the first token has no surprisal",
        "trial": f"{trial.compared} generated tokens have the surprisal that the server gives them in a text, within "
        f"{LARGEST_DIFFERENCE} bits",
        "noise": f"{noise:g} bits, from two ways to send {len(PROBE_TEXTS)} texts",
    }
    return ModelCard(address.name, fingerprint, bos=symbol, noise=noise, decisions=decisions | found)


def first_symbol(reading: Reading, bos: str) -> str | None:
    """Name the symbol that is read before every text, where the first token then has bits."""
    if reading.first == "missing":
        return None
    if bos not in ("default", "none"):
        return bos
    return "".join(symbol_text(reading.tokenizer, token) for token in reading.before) or "unrecorded"


def symbol_text(tokenizer: SubwordTokenizer | RemoteTokenizer, token: EchoedToken) -> str:
    """Name a symbol that the server lists before a text."""
    if token.text or token.id is None:
        return token.text or "unrecorded"
    if isinstance(tokenizer, SubwordTokenizer):
        return tokenizer.pieces([token.id])[0]
    return (tokenizer.piece(token.id) or b"").decode() or f"token {token.id}"
