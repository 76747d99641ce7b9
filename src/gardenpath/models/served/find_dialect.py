"""Which protocol a server answers with log-probabilities of a text; if none, why not, and what to use instead."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gardenpath.errors import InputError
from gardenpath.models.served.answers import require_field, require_list
from gardenpath.models.served.dialects import DecoderDetails, Dialect, EchoedCompletions, NativeSGLang, PromptLogprobs
from gardenpath.models.served.http_client import Client, RefusedRequestError, UnavailableServerError
from gardenpath.models.served.probe_texts import PROBE_TEXTS

ALTERNATIVES = (
    "servers that do are vLLM, SGLang, llama-cpp-python's server (with logits_all) and TGI (with "
    "--enable-prefill-logprobs); a GGUF file can be scored without a server as gguf:FILE"
)
TRIES_TO_FIND = 3
KEPT = ("id", "root", "owned_by", "max_model_len", "meta")
"""What is recorded of a model that a server lists; the rest, such as the time, changes from request to request."""


def reported_models(client: Client) -> list[Mapping[str, Any]]:
    """Return what a server says about its models; nothing, where it has no list of them."""

    def read(answer: Any) -> list[Mapping[str, Any]]:
        rows = require_list(require_field(answer, "data"), "data")
        return [{name: row[name] for name in KEPT if name in row} for row in rows if isinstance(row, dict)]

    # The first request: a wrong address is reported after a second, not after the patience that a run has.
    brief = replace(client, patience=replace(client.patience, tries=TRIES_TO_FIND))
    try:
        return brief.get("/v1/models", read)
    except RefusedRequestError:
        return []


def find_dialect(client: Client, model: str, models: list[Mapping[str, Any]], *, plain: bool) -> Dialect:
    """Find the protocol in which a server gives log-probabilities of a text's own tokens."""
    dialects: list[Dialect] = [
        PromptLogprobs(client, model),
        EchoedCompletions(client, model, plain),
        NativeSGLang(client, model),
        DecoderDetails(client, model),
    ]
    refusals = []
    for dialect in dialects:
        try:
            (answer,) = dialect.ask([PROBE_TEXTS[0]], tries=TRIES_TO_FIND)
        except (RefusedRequestError, UnavailableServerError) as error:
            refusals.append(f"{dialect.name}: {error}")
            continue
        # A server that ignores the request for an echo lists the generated token alone.
        if answer.scored > 1:
            return dialect
        refusals.append(f"{dialect.name}: log-probabilities of {answer.scored} tokens, none of the text")
    is_llama = any(row.get("owned_by") == "llamacpp" for row in models)
    why = (
        "it is llama.cpp's own server, which returns log-probabilities of generated tokens only, and ignores `echo` or "
        "rejects it"
        if is_llama
        else "it answers none of the known requests with log-probabilities of the text itself"
    )
    raise InputError(f"the server {client.url} cannot score texts: {why}; {ALTERNATIVES}\n  " + "\n  ".join(refusals))
