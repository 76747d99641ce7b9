"""How exact are our scores? Packed reading in float32 against float64, beside plain passes of the library in float32.

python benchmarks/exactness.py [--sentences N] [--plain N]

The sentences are the published BLiMP pairs of ../shared/data, then pairs of our own in their manner. The float64 scores
are computed by the same reader with weights in float64, which is itself compared with plain passes of the library in
float64 on some sentences. The last line is what `ModelCard.noise` of models in float32 may claim.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

import materials
from gardenpath.models.load import load_model
from gardenpath.models.pretrained.gguf import convert_once, embedded_file
from gardenpath.models.pretrained.head import Head
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.pretrained.rotary import RotaryReader
from gardenpath.scoring.score import Scoring
from gardenpath.scoring.surprisals import TextScores
from gardenpath.suites.catalog import find_suites
from gardenpath.suites.load import sample_items


def generated_sentences(number: int) -> list[str]:
    """Sentences of our own paradigms."""
    suites = find_suites("blimp")
    per_suite = -(-number // (2 * len(suites)))
    return [sentence.text for suite in suites for _, sentence in sample_items(suite, per_suite).trials()]


def score(model: PackedModel, texts: list[str], label: str) -> TextScores:
    """Score texts, with a line of progress."""
    scoring = Scoring(model, texts)
    results = {}
    for part in range(len(scoring.sizes)):
        results[part] = scoring.compute(part)
        print(f"\r{label}: part {part + 1} of {len(scoring.sizes)}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return scoring.scores(results)


def in_float64(model: PackedModel, folder: Path) -> PackedModel:
    """The same model with weights and sums in float64."""
    assert isinstance(model.reader, RotaryReader)
    weights = {name: weight.double() for name, weight in load_file(folder / "model.safetensors").items()}
    head = Head(weights.get("lm_head.weight", weights["model.embed_tokens.weight"]))
    return PackedModel(model.card, model.tokenizer, RotaryReader(model.reader.shape, weights), head)


@torch.inference_mode()
def plain_bits(network: object, ids: np.ndarray, bos: int) -> np.ndarray:
    """The bits of one sentence in one plain pass."""
    read = torch.tensor([[bos, *ids.tolist()]])
    logits = network(read).logits[0, :-1]  # type: ignore[operator]  # a network of transformers
    nats = -torch.log_softmax(logits, dim=-1).gather(1, read[0, 1:, None])[:, 0]
    return nats.double().numpy() / np.log(2)


def report(label: str, tokens: list[np.ndarray]) -> float:
    """Print the largest differences of tokens and of sentences; return that of sentences."""
    per_token = max(float(np.abs(one).max()) for one in tokens)
    totals = [abs(float(one.sum())) for one in tokens]
    print(f"{label:44}{len(tokens):>8,} sentences{per_token:>12.1e} a token{max(totals):>12.1e} a sentence")
    return max(totals)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, default=10_000)
    parser.add_argument("--plain", type=int, default=200, help="sentences for plain passes of the library")
    arguments = parser.parse_args()
    texts = materials.build("blimp", Path()).texts[: arguments.sentences]
    if len(texts) < arguments.sentences:
        texts += generated_sentences(arguments.sentences - len(texts))
    model, folder = load_model("smollm2"), convert_once(embedded_file())
    assert isinstance(model, PackedModel)
    ours, exact = score(model, texts, "float32"), score(in_float64(model, folder), texts, "float64")
    networks = [AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval() for _ in range(2)]
    networks[1].double()
    chosen = np.random.default_rng(0).choice(len(texts), min(arguments.plain, len(texts)), replace=False).tolist()
    assert model.bos_id is not None
    plain, plain_exact = (
        {text: plain_bits(network, np.array([t.id for t in ours[text].tokens]), model.bos_id) for text in chosen}
        for network in networks
    )
    report("packed float64 - plain float64", [exact[text].bits - plain_exact[text] for text in chosen])
    report("plain float32 - float64", [plain[text] - exact[text].bits for text in chosen])
    report("packed float32 - float64, same sentences", [ours[text].bits - exact[text].bits for text in chosen])
    report("packed float32 - float64", [ours[text].bits - exact[text].bits for text in range(len(texts))])


if __name__ == "__main__":
    main()
