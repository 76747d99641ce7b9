"""Score with gardenpath: every shared prefix of all texts is read once."""

from math import log

import torch

from gardenpath.models.load import load_model
from gardenpath.scoring.score import score_texts
from gardenpath.scoring.surprisals import sum_runs
from measure import measure, parse_arguments


def main() -> None:
    arguments = parse_arguments()
    torch.set_num_threads(arguments.threads)
    model = load_model(f"hf:{arguments.model}", bos=arguments.bos)

    def score(texts: list[str]) -> list[float]:
        scores = score_texts(model, texts)
        bits = sum_runs(scores.bits, scores.encoded.offsets[:-1], scores.encoded.offsets[1:])
        return (-bits * log(2)).tolist()

    measure(score, arguments)


if __name__ == "__main__":
    main()
