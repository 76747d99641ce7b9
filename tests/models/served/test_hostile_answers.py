"""Whatever JSON a server answers, it is read or refused as malformed."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gardenpath.models.served.dialects import (
    DecoderDetails,
    Dialect,
    EchoedCompletions,
    NativeSGLang,
    PromptLogprobs,
    read_generated,
)
from gardenpath.models.served.http_client import MalformedAnswerError, parse_json
from gardenpath.models.served.remote_tokenizer import read_details, read_joined, read_tokens

NAMES = st.sampled_from([
    "choices", "index", "logprobs", "tokens", "token_logprobs", "prompt_logprobs", "prompt_token_ids",
    "token_ids", "meta_info", "input_token_logprobs", "output_token_logprobs", "details", "prefill", "id",
    "text", "logprob", "start", "stop", "token_strs", "prompt", "7",
])  # fmt: skip
LEAVES = st.none() | st.booleans() | st.integers(-2, 9) | st.floats(-20, 1) | st.sampled_from(["", "7", "a", " the"])
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4), max_leaves=25
)
CHOICES = st.fixed_dictionaries(
    {"choices": st.lists(st.dictionaries(NAMES, JSON, max_size=5).map(lambda one: {"index": 0, **one}), max_size=2)}
)


class Replies:
    """A client that answers every request in the same way."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def post(self, path: str, body: Any, read: Callable[[Any], Any], *, tries: int | None = None) -> Any:
        return read(self.answer)


@pytest.mark.parametrize("dialect", [PromptLogprobs, EchoedCompletions, NativeSGLang, DecoderDetails])
@given(answer=JSON | CHOICES)
def test_dialects_read_any_json_or_refuse_it(dialect: Callable[..., Dialect], answer: Any) -> None:
    with suppress(MalformedAnswerError):
        for found in dialect(Replies(answer), "tiny").ask(["a text"]):
            for token in found.tokens:
                assert token.text is None or isinstance(token.text, str)
                assert token.nats is None or token.nats <= 1e-3
    with suppress(MalformedAnswerError):
        dialect(Replies(answer), "tiny").next_token("a text")


@pytest.mark.parametrize("read", [read_generated, read_tokens, read_details, read_joined])
@given(answer=JSON | CHOICES)
def test_readers_read_any_json_or_refuse_it(read: Callable[[Any], Any], answer: Any) -> None:
    with suppress(MalformedAnswerError):
        read(answer)


@pytest.mark.parametrize("content", [b"", b"\xff", b"[NaN]", b'{"a": Infinity}', b"[" * 100_000, b"<html>"])
def test_what_is_not_json_is_refused(content: bytes) -> None:
    with pytest.raises(MalformedAnswerError):
        parse_json(content)
    assert parse_json(json.dumps({"a": [1.5, None]}).encode()) == {"a": [1.5, None]}
