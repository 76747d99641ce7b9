"""The yardstick: one sentence, one forward pass, no batch, no padding; the sum of log p of all its tokens."""

import torch
import transformers

from measure import measure, parse_arguments


def main() -> None:
    arguments = parse_arguments()
    torch.set_num_threads(arguments.threads)
    model = transformers.AutoModelForCausalLM.from_pretrained(arguments.model, dtype=torch.float32).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(arguments.model)
    bos = tokenizer.convert_tokens_to_ids(arguments.bos)

    @torch.inference_mode()
    def score(texts: list[str]) -> list[float]:
        nats = []
        for text in texts:
            ids = torch.tensor([bos, *tokenizer(text, add_special_tokens=False).input_ids])
            logits = model(ids[None, :-1], use_cache=False).logits[0]  # (tokens, vocabulary)
            chosen = logits.log_softmax(dim=-1).gather(1, ids[1:, None])  # (tokens, 1)
            nats.append(chosen.double().sum().item())
        return nats

    measure(score, arguments)


if __name__ == "__main__":
    main()
