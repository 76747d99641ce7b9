"""Score with minicons' scorer of masked models, masking the rest of a word too, on batches sorted by length."""

import json
import time

import torch
from minicons.scorer import MaskedLMScorer

from measure import batches, parse_arguments


def main() -> None:
    arguments = parse_arguments()
    torch.set_num_threads(arguments.threads)
    model = MaskedLMScorer(str(arguments.model), "cpu")
    # minicons 0.3.39 calls it by a name that transformers 5 no longer has.
    model.tokenizer.batch_encode_plus = model.tokenizer.__call__
    texts = json.loads(arguments.texts.read_text(encoding="utf-8"))
    start, processor = time.perf_counter(), time.process_time()
    order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
    bits: list[list[float]] = [[] for _ in texts]
    for batch in batches(order, arguments.batch_size):
        chosen = [texts[number] for number in batch]
        scores = model.token_score(chosen, surprisal=True, base_two=True, PLL_metric="within_word_l2r")
        for number, tokens in zip(batch, scores, strict=True):
            bits[number] = [value for _, value in tokens]
    record = {"scoring_seconds": time.perf_counter() - start, "scoring_processor": time.process_time() - processor}
    arguments.scores.write_text(json.dumps({**record, "bits": bits}))


if __name__ == "__main__":
    main()
