"""Score with lm-evaluation-harness, as its tasks do: one `loglikelihood` request per sentence, no context.

The harness sorts by length, batches, and scores two texts that differ in their last token only with one pass.
"""

import torch
from lm_eval.api.instance import Instance
from lm_eval.models.huggingface import HFLM
from transformers import AutoTokenizer

from measure import parse_arguments, score_texts


def main() -> None:
    arguments = parse_arguments()
    torch.set_num_threads(arguments.threads)
    tokenizer = AutoTokenizer.from_pretrained(arguments.model)
    # Without `prefix_token_id` an empty context becomes the tokenizer's own symbol, here the chat's <|im_start|>.
    model = HFLM(
        pretrained=str(arguments.model),
        device="cpu",
        dtype="float32",
        batch_size=arguments.batch_size,
        prefix_token_id=tokenizer.convert_tokens_to_ids(arguments.bos),
    )

    def score(texts: list[str]) -> list[float]:
        # No space before the text: the harness's own `blimp` task puts one there, and so scores " The" for "The".
        requests = [Instance("loglikelihood", {}, ("", text), number) for number, text in enumerate(texts)]
        return [nats for nats, _ in model.loglikelihood(requests, disable_tqdm=True)]

    score_texts(score, arguments)


if __name__ == "__main__":
    main()
