"""The protocols of servers that report log-probabilities of a prompt's own tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from gardenpath.models.served.answers import (
    Answer,
    EchoedToken,
    Prompt,
    read_id,
    read_nats,
    read_text,
    require_field,
    require_list,
)
from gardenpath.models.served.http_client import Client, MalformedAnswerError

COMPLETIONS = "/v1/completions"
SAMPLING = {"max_tokens": 1, "temperature": 1.0}
"""One token is generated and dropped: 0 means any number to some servers, and is refused by others.

Where log-probabilities are scaled by the temperature, 1 leaves them as they are.
"""
FORCE = 100.0
"""What is added to the logit of a token that must come next; no other can then."""


class Dialect(Protocol):
    """How to get the log-probabilities of prompts from one kind of server."""

    name: ClassVar[str]
    takes_ids: ClassVar[bool]
    """Whether prompts are sent as token ids; else as texts."""
    several: ClassVar[bool]
    """Whether a request may hold several prompts, as far as the protocol goes."""

    def ask(self, prompts: Sequence[Prompt], *, tries: int | None = None) -> list[Answer]:
        """Return the tokens of every prompt with their log-probabilities."""

    def next_token(self, prompt: Prompt, *, force: int | None = None) -> EchoedToken | None:
        """Return a token that the server generates after a prompt; None where it ends the text, or none is forced."""


@dataclass(frozen=True)
class PromptLogprobs:
    """vLLM: completions with `prompt_logprobs`, which come with token ids."""

    client: Client
    model: str
    name: ClassVar[str] = "vLLM prompt_logprobs"
    takes_ids: ClassVar[bool] = True
    several: ClassVar[bool] = True

    def ask(self, prompts: Sequence[Prompt], *, tries: int | None = None) -> list[Answer]:
        """Return the tokens of every prompt with their log-probabilities."""
        body = self.body(prompts) | {"prompt_logprobs": 0}

        def read(answer: Any) -> list[Answer]:
            return [read_prompt_logprobs(choice) for choice in ordered_choices(answer, len(prompts))]

        return self.client.post(COMPLETIONS, body, read, tries=tries)

    def next_token(self, prompt: Prompt, *, force: int | None = None) -> EchoedToken | None:
        """Return the token generated after a prompt, by its id."""
        bias = {} if force is None else {"logit_bias": {str(force): FORCE}}
        body = self.body([prompt]) | {"logprobs": 1, "seed": 0} | bias
        return self.client.post(COMPLETIONS, body, read_generated)

    def body(self, prompts: Sequence[Prompt]) -> dict[str, Any]:
        """Return what all requests have in common."""
        return {"model": self.model, "prompt": as_json(prompts), **SAMPLING, "return_token_ids": True}


@dataclass(frozen=True)
class EchoedCompletions:
    """Completions in the manner of OpenAI that echo the prompt: llama-cpp-python, older vLLM, gateways."""

    client: Client
    model: str
    plain: bool = False
    """Ask vLLM, which heeds this, to add no symbols of its own."""
    name: ClassVar[str] = "completions with echo"
    takes_ids: ClassVar[bool] = False
    several: ClassVar[bool] = True

    def ask(self, prompts: Sequence[Prompt], *, tries: int | None = None) -> list[Answer]:
        """Return the tokens of every prompt, and at most one generated token after them."""

        def read(answer: Any) -> list[Answer]:
            return [read_echo(choice) for choice in ordered_choices(answer, len(prompts))]

        return self.client.post(COMPLETIONS, self.body(prompts) | {"echo": True}, read, tries=tries)

    def next_token(self, prompt: Prompt, *, force: int | None = None) -> EchoedToken | None:
        """Return the token generated after a prompt."""
        bias = {} if force is None else {"logit_bias": {str(force): FORCE}}
        return self.client.post(COMPLETIONS, self.body([prompt]) | {"seed": 0} | bias, read_generated)

    def body(self, prompts: Sequence[Prompt]) -> dict[str, Any]:
        """Return what all requests have in common."""
        # Some servers take a single text only.
        prompt = prompts[0] if len(prompts) == 1 else as_json(prompts)
        added = {"add_special_tokens": False} if self.plain else {}
        return {"model": self.model, "prompt": prompt, **SAMPLING, "logprobs": 1, **added}


@dataclass(frozen=True)
class NativeSGLang:
    """SGLang's own endpoint, which takes and gives token ids."""

    client: Client
    model: str
    name: ClassVar[str] = "SGLang /generate"
    takes_ids: ClassVar[bool] = True
    several: ClassVar[bool] = True

    def ask(self, prompts: Sequence[Prompt], *, tries: int | None = None) -> list[Answer]:
        """Return the tokens of every prompt with their log-probabilities."""

        def read(answer: Any) -> list[Answer]:
            rows = require_list(answer, "the answer", len(prompts))
            return [Answer(tuple(map(read_triple, prompt_triples(row)))) for row in rows]

        return self.client.post("/generate", self.body(prompts) | {"logprob_start_len": 0}, read, tries=tries)

    def next_token(self, prompt: Prompt, *, force: int | None = None) -> EchoedToken | None:
        """Return the token generated after a prompt; this protocol cannot force one."""
        if force is not None:
            return None

        def read(answer: Any) -> EchoedToken | None:
            (row,) = require_list(answer, "the answer", 1)
            triples = require_list(require_field(require_field(row, "meta_info"), "output_token_logprobs"), "output")
            return read_triple(triples[0]) if triples else None

        return self.client.post("/generate", self.body([prompt]), read)

    def body(self, prompts: Sequence[Prompt]) -> dict[str, Any]:
        """Return what all requests have in common."""
        field = "text" if any(isinstance(prompt, str) for prompt in prompts) else "input_ids"
        sampling = {"max_new_tokens": 1, "temperature": 1.0}
        return {field: as_json(prompts), "sampling_params": sampling, "return_logprob": True}


@dataclass(frozen=True)
class DecoderDetails:
    """Text Generation Inference: `decoder_input_details`, one text per request."""

    client: Client
    model: str
    name: ClassVar[str] = "TGI decoder_input_details"
    takes_ids: ClassVar[bool] = False
    several: ClassVar[bool] = False

    def ask(self, prompts: Sequence[Prompt], *, tries: int | None = None) -> list[Answer]:
        """Return the tokens of the only prompt with their log-probabilities."""
        (prompt,) = prompts

        def read(answer: Any) -> list[Answer]:
            prefill = require_field(require_field(answer, "details"), "prefill")
            return [Answer(tuple(map(read_detail, require_list(prefill, "prefill"))))]

        return self.client.post("/generate", self.body(prompt, decoder_input_details=True), read, tries=tries)

    def next_token(self, prompt: Prompt, *, force: int | None = None) -> EchoedToken | None:
        """Return the token generated after a prompt; this protocol cannot force one."""
        if force is not None:
            return None

        def read(answer: Any) -> EchoedToken | None:
            tokens = require_list(require_field(require_field(answer, "details"), "tokens"), "tokens")
            return read_detail(tokens[0]) if tokens else None

        return self.client.post("/generate", self.body(prompt), read)

    def body(self, prompt: Prompt, **added: bool) -> dict[str, Any]:
        """Return a request for one prompt."""
        return {"inputs": prompt, "parameters": {"max_new_tokens": 1, "details": True, **added}}


def as_json(prompts: Sequence[Prompt]) -> list[Any]:
    """Write prompts as lists and strings."""
    return [prompt if isinstance(prompt, str) else list(prompt) for prompt in prompts]


def ordered_choices(answer: Any, expected: int) -> list[Any]:
    """Return the choices of an answer in the order of the prompts, one for each."""
    choices = require_list(require_field(answer, "choices"), "choices", expected)
    by_index = {read_id(require_field(choice, "index")): choice for choice in choices}
    if by_index.keys() != set(range(expected)):
        raise MalformedAnswerError(f"the choices have the indices {list(by_index)} for {expected} prompts")
    return [by_index[index] for index in range(expected)]


def read_prompt_logprobs(choice: Any) -> Answer:
    """Read `prompt_logprobs`: for every token of the prompt an object keyed by token id; null for the first."""
    entries = choice.get("prompt_logprobs")
    if entries is None:
        return Answer(())
    ids = require_list(choice.get("prompt_token_ids"), "prompt_token_ids", len(require_list(entries, "the list")))
    return Answer(tuple(read_entry(entry, read_id(id_)) for entry, id_ in zip(entries, ids, strict=True)))


def read_entry(entry: Any, id_: int) -> EchoedToken:
    """Read the entry of a token of the prompt, which may also list other tokens."""
    if entry is None:
        return EchoedToken(None, id_, None)
    own = require_field(entry, str(id_))
    nats = read_nats(require_field(own, "logprob"))
    return EchoedToken(read_text(own.get("decoded_token")), id_, nats)


def read_echo(choice: Any) -> Answer:
    """Read the lists of tokens and log-probabilities of a completion; an answer without them has no tokens."""
    found = choice.get("logprobs")
    if not isinstance(found, dict) or not isinstance(found.get("tokens"), list):
        return Answer(())
    texts = [read_text(text) for text in require_list(found["tokens"], "tokens")]
    nats = require_list(require_field(found, "token_logprobs"), "token_logprobs", len(texts))
    return Answer(tuple(EchoedToken(text, None, read_nats(one)) for text, one in zip(texts, nats, strict=True)))


def read_generated(answer: Any) -> EchoedToken | None:
    """Read the only generated token of a completion; None where the text ended instead."""
    (choice,) = ordered_choices(answer, 1)
    tokens = read_echo(choice).tokens
    ids = require_list(choice.get("token_ids") or [], "token_ids")
    if not tokens:
        return None
    return EchoedToken(tokens[0].text, read_id(ids[0]) if ids else None, tokens[0].nats)


def prompt_triples(row: Any) -> Sequence[Any]:
    """Return SGLang's list of [log-probability, token id, text] for the tokens of a prompt."""
    found = require_field(require_field(row, "meta_info"), "input_token_logprobs")
    return [] if found is None else require_list(found, "input_token_logprobs")


def read_triple(triple: Any) -> EchoedToken:
    """Read [log-probability, token id, text]."""
    nats, id_, text = require_list(triple, "an entry", 3)
    return EchoedToken(read_text(text), read_id(id_), read_nats(nats))


def read_detail(detail: Any) -> EchoedToken:
    """Read a token of TGI."""
    text = read_text(require_field(detail, "text"))
    return EchoedToken(text, read_id(require_field(detail, "id")), read_nats(require_field(detail, "logprob")))
