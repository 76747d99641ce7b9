"""Score with minicons: `sequence_score` on the batches we cut for it, sorted by length."""

import torch
from minicons.scorer import IncrementalLMScorer

from measure import batches, parse_arguments, score_texts


def main() -> None:
    arguments = parse_arguments()
    torch.set_num_threads(arguments.threads)
    model = IncrementalLMScorer(str(arguments.model), "cpu", dtype=torch.float32)
    # `bos_token=True` below writes the tokenizer's own symbol before the text, here the chat's <|im_start|>.
    model.tokenizer.bos_token = arguments.bos

    def score(texts: list[str]) -> list[float]:
        # Sorted by length, as its documentation advises: less padding.
        order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        nats = [
            value
            for batch in batches([texts[number] for number in order], arguments.batch_size)
            # The default reduction is the mean; without `bos_token` the first token is left out.
            for value in model.sequence_score(batch, reduction=lambda scores: scores.sum().item(), bos_token=True)
        ]
        rank = {number: position for position, number in enumerate(order)}
        return [nats[rank[number]] for number in range(len(texts))]

    score_texts(score, arguments)


if __name__ == "__main__":
    main()
