"""Score with gardenpath: every shared prefix of all texts is read once."""

from math import log

import torch

from gardenpath.models.load import load_model
from gardenpath.scoring.score import score_texts
from measure import measure, parse_arguments


def main() -> None:
    arguments = parse_arguments()
    torch.set_num_threads(arguments.threads)
    model = load_model(f"hf:{arguments.model}", bos=arguments.bos)

    def score(texts: list[str]) -> list[float]:
        return [-surprisals.total * log(2) for surprisals in score_texts(model, texts)]

    measure(score, arguments)


if __name__ == "__main__":
    main()
