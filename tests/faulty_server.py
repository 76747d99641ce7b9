"""A server of a tiny model on this machine that speaks the protocols of real ones, with their faults on request."""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

from small_models import byte_level_tokenizer

BOS = "<|endoftext|>"
SIZE = 400


@cache
def tokenizer() -> Any:
    """The byte-level tokenizer of other tests; <|endoftext|> has the id 0."""
    found = byte_level_tokenizer()
    found.encode_special_tokens = False
    return found


def cut(text: str) -> list[int]:
    return list(tokenizer().encode(text, add_special_tokens=False).ids)


def show(ids: Sequence[int]) -> str:
    return str(tokenizer().decode(list(ids), skip_special_tokens=False))


@cache
def next_nats(seed: int, before: tuple[int, ...]) -> np.ndarray:
    """Log-probabilities of all tokens, drawn by the last two; those that begin a word are likelier."""
    logits = np.random.default_rng([seed, *(id_ + 1 for id_ in before[-2:])]).normal(size=SIZE) * 2
    begins = [(tokenizer().id_to_token(id_) or "")[:1] == "Ġ" for id_ in range(SIZE)]
    logits = logits + 6 * np.array(begins)
    return logits - np.log(np.exp(logits).sum())


def right_bits(texts: Sequence[str], *, bos: bool, seed: int = 0) -> np.ndarray:
    """The bits that a model must have, worked out from the table alone."""
    rows = []
    for text in texts:
        ids = [0] * bos + cut(text)
        nats = [next_nats(seed, tuple(ids[:k]))[id_] if k else np.nan for k, id_ in enumerate(ids)]
        rows.append(-np.array(nats[bos:]) / np.log(2))
    return np.concatenate(rows)


@dataclass
class Behaviour:
    """What a server does; may be changed while it runs."""

    kind: str = "vllm"
    """vllm, echo, sglang, tgi, llama.cpp."""
    adds_bos: bool = False
    """To texts."""
    hides_bos: bool = False
    """Does not list <|endoftext|>, and gives the first token after it no number, as llama-cpp-python."""
    needs_bos: bool = False
    """Lists scores one off unless the text begins with <|endoftext|>, as llama-cpp-python."""
    singly: bool = False
    """Fails on several prompts."""
    fault: str = ""
    failing: Callable[[int], str] = lambda _number: ""
    """What goes wrong with a request, by its number: an HTTP status, reset, half, slow, json, choice."""
    seed: int = 0
    key: str = ""
    requests: int = 0
    """Requests so far."""
    scored: int = 0
    """Prompts scored so far."""
    most_at_once: int = 0
    bodies: list[Any] = field(default_factory=list)


class Handler(BaseHTTPRequestHandler):
    server: "Server"  # type: ignore[assignment]

    def log_message(self, *_arguments: Any) -> None:
        pass

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            owner = "llamacpp" if self.server.behaviour.kind == "llama.cpp" else "tests"
            self.answer({"data": [{"id": "tiny", "owned_by": owner, "created": time.time()}]})
        else:
            self.answer({"error": "not found"}, 404)

    def do_POST(self) -> None:
        behaviour = self.server.behaviour
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if behaviour.key and self.headers.get("Authorization") != f"Bearer {behaviour.key}":
            self.answer({"error": f"wrong key: {self.headers.get('Authorization')}"}, 401)
            return
        with self.server.lock:
            number = behaviour.requests
            behaviour.requests += 1
            behaviour.bodies.append(body)
        failure = behaviour.failing(number)
        if failure.isdecimal():
            self.answer({"error": {"message": "busy", "code": int(failure)}}, int(failure))
        elif failure == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        else:
            if failure == "slow":
                time.sleep(1.5)
            self.answer(*respond(behaviour, self.path, body, failure), failure=failure)

    def answer(self, content: Any, status: int = 200, *, failure: str = "") -> None:
        data = b'{"choices": [{"index"' if failure == "json" else json.dumps(content).encode()
        try:
            self.send_response(status)
            if status == 429:
                self.send_header("Retry-After", "0")
            self.send_header("Content-Length", str(len(data) + 50 * (failure == "half")))
            self.end_headers()
            self.wfile.write(data)
        except OSError:  # the client does not wait any more
            self.close_connection = True


class Server(ThreadingHTTPServer):
    daemon_threads = True
    behaviour: Behaviour
    lock = threading.Lock()

    def handle_error(self, *_arguments: Any) -> None:
        pass


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[str]:
    """Serve until the end of the block; yield what follows `api:`."""
    server = Server(("127.0.0.1", 0), Handler)
    server.behaviour = behaviour
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}#tiny"
    finally:
        server.shutdown()
        server.server_close()


def respond(behaviour: Behaviour, path: str, body: Any, failure: str) -> tuple[Any, int]:
    kind = behaviour.kind
    if path == "/tokenize" and kind in ("vllm", "sglang") and "prompt" in body:
        ids = cut(body["prompt"])
        named = {"token_strs": [tokenizer().id_to_token(id_) for id_ in ids]} if kind == "vllm" else {}
        return {"tokens": ids, "count": len(ids), **named}, 200
    if path == "/detokenize" and kind == "sglang":
        return {"text": show(body["tokens"])}, 200
    if path == "/detokenize" and kind == "vllm":
        return {"prompt": show(body["tokens"])}, 200
    if path == "/extras/tokenize" and kind == "echo":
        return {"tokens": [0] * behaviour.adds_bos + cut(body["input"])}, 200
    if path == "/extras/detokenize" and kind == "echo":
        text = show(body["tokens"])
        return (
            ({"text": text}, 200)
            if "\N{REPLACEMENT CHARACTER}" not in text
            else ({"error": "'utf-8' codec can't decode"}, 500)
        )
    if path == "/tokenize" and kind == "tgi" and "inputs" in body:
        found = tokenizer().encode(body["inputs"], add_special_tokens=False)
        rows = [
            {"id": id_, "text": body["inputs"][a:b], "start": a, "stop": b}
            for id_, (a, b) in zip(found.ids, found.offsets, strict=True)
        ]
        return [{"id": 0, "text": BOS, "start": 0, "stop": 0}] * behaviour.adds_bos + rows, 200
    if path == "/v1/completions" and kind in ("vllm", "echo", "llama.cpp"):
        return complete(behaviour, body, failure)
    if path == "/generate" and kind in ("sglang", "tgi"):
        return generate(behaviour, body)
    return {"error": {"message": "no such path"}}, 404


def read_prompt(behaviour: Behaviour, prompt: Any) -> list[int]:
    """The ids that are read, with what the server adds to texts."""
    if isinstance(prompt, str):
        return [0] * behaviour.adds_bos + cut(prompt)
    return list(prompt)


def score(behaviour: Behaviour, ids: list[int], together: int) -> list[tuple[int, float | None]]:
    """The list of tokens and numbers of a prompt, with the fault of the server."""
    with Server.lock:
        behaviour.scored += 1
        behaviour.most_at_once = max(behaviour.most_at_once, together)
    rows: list[float | None] = [
        float(next_nats(behaviour.seed, tuple(ids[:k]))[id_]) if k else None for k, id_ in enumerate(ids)
    ]
    if behaviour.fault == "off by one" or (behaviour.needs_bos and ids[0] != 0):
        rows = [float(next_nats(behaviour.seed, tuple(ids[: k + 1]))[id_]) for k, id_ in enumerate(ids)]
        rows[0] = None
    if behaviour.fault == "one early":
        rows = [None, *rows[2:], -1.0]
    if behaviour.fault in ("batch", "noise"):
        change = {"batch": 0.2, "noise": 0.0002}[behaviour.fault] * (together - 1)
        rows = [None if row is None else row - change for row in rows]
    if behaviour.fault == "null":
        rows = [None for _ in rows]
    if behaviour.fault == "certain":
        rows = [None if row is None else 0.0 for row in rows]
    listed = list(zip(ids, rows, strict=True))
    if behaviour.fault == "cut":
        listed = listed[-5:]
    if behaviour.hides_bos and ids[:1] == [0]:
        listed = [(listed[1][0], None), *listed[2:]]
    return listed


def pick(behaviour: Behaviour, ids: list[int], body: Any) -> tuple[int, float]:
    """The token that is generated, and its log-probability, which a bias does not change."""
    nats = next_nats(behaviour.seed, tuple(ids))
    biased = nats.copy()
    for id_, value in (body.get("logit_bias") or {}).items():
        biased[int(id_)] += value
    chosen = int(biased.argmax())
    return chosen, 0.0 if behaviour.fault == "certain" else float(nats[chosen])


def complete(behaviour: Behaviour, body: Any, failure: str) -> tuple[Any, int]:
    prompt = body["prompt"]
    prompts = prompt if isinstance(prompt, list) and not isinstance(prompt[0], int) else [prompt]
    if behaviour.singly and len(prompts) > 1:
        return {"error": {"message": "assert len(body.prompt) <= 1"}}, 500
    choices = []
    for index, one in enumerate(prompts):
        ids = read_prompt(behaviour, one)
        new, nats = pick(behaviour, ids, body)
        choice: dict[str, Any] = {"index": index, "text": show([new]), "logprobs": None, "finish_reason": "length"}
        if behaviour.kind == "vllm" and body.get("return_token_ids"):
            choice |= {"token_ids": [new], "prompt_token_ids": ids}
        echo = bool(body.get("echo")) and behaviour.kind == "echo" and behaviour.fault != "ignored echo"
        listed = score(behaviour, ids, len(prompts)) if echo or "prompt_logprobs" in body else []
        if behaviour.kind == "vllm" and "prompt_logprobs" in body:
            choice["prompt_token_ids"] = [id_ for id_, _ in listed]
            choice["prompt_logprobs"] = [
                None if row is None else {str(id_): {"logprob": row, "rank": 1, "decoded_token": show([id_])}}
                for id_, row in listed
            ]
        if body.get("logprobs"):
            rows = [*(listed if echo else []), (new, nats)]
            choice["logprobs"] = {
                "tokens": [show([id_]).replace("\N{REPLACEMENT CHARACTER}", "") for id_, _ in rows],
                "token_logprobs": [row for _, row in rows],
            }
            if behaviour.kind == "llama.cpp":
                choice["logprobs"] = {"content": [{"id": new, "token": show([new]), "logprob": nats}]}
        choices.append(choice)
    return {"choices": disturb(behaviour, choices, failure)}, 200


def disturb(behaviour: Behaviour, choices: list[Any], failure: str) -> list[Any]:
    """The choices as a careless server sends them."""
    if behaviour.fault == "missing choice" or failure == "choice":
        return choices[:-1]
    if behaviour.fault == "other order":
        return choices[::-1]
    if behaviour.fault == "mixed up":
        return [{**choice, "index": index} for index, choice in enumerate(choices[::-1])]
    return choices


def generate(behaviour: Behaviour, body: Any) -> tuple[Any, int]:
    if behaviour.kind == "tgi":
        if "inputs" not in body:
            return {"error": "inputs is missing"}, 422
        ids = read_prompt(behaviour, body["inputs"])
        new, nats = pick(behaviour, ids, body)
        details: dict[str, Any] = {"tokens": [{"id": new, "text": show([new]), "logprob": nats}], "prefill": []}
        if body["parameters"].get("decoder_input_details") and behaviour.fault != "ignored echo":
            details["prefill"] = [
                {"id": id_, "text": show([id_]), "logprob": row} for id_, row in score(behaviour, ids, 1)
            ]
        return {"generated_text": show([new]), "details": details}, 200
    if "sampling_params" not in body:
        return {"error": "sampling_params is missing"}, 400
    rows = []
    prompts = body.get("input_ids") or body["text"]
    for one in prompts:
        ids = read_prompt(behaviour, one)
        new, nats = pick(behaviour, ids, body)
        meta: dict[str, Any] = {"output_token_logprobs": [[nats, new, None]], "input_token_logprobs": []}
        if body.get("logprob_start_len") == 0:
            meta["input_token_logprobs"] = [[row, id_, None] for id_, row in score(behaviour, ids, len(prompts))]
        rows.append({"text": show([new]), "meta_info": meta})
    return rows, 200
