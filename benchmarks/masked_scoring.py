"""Time masked models beside minicons, and compare the scores: published BLiMP pairs, small models made on the spot.

First `sh benchmarks/peers.sh`, then: python benchmarks/masked_scoring.py [--pairs 20] [--repeats 3]

The models have random weights and the shape of BERT or RoBERTa: their speed does not depend on what they learned.
WordPiece and byte-level vocabularies of the published sizes are made from ../shared/data/text. The tools take turns;
printed are seconds of whole commands (also of processor time, which depends less on what else the machine does) and of
scoring alone, every repetition with its ratio to gardenpath, and the largest difference of a token's bits.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, decoders, normalizers, pre_tokenizers, processors, trainers
from tokenizers import models as token_models

import materials
from gardenpath.models.load import load_model
from gardenpath.models.pretrained.masked import MaskedModel
from gardenpath.models.pretrained.masking import find_words, mask_tokens
from gardenpath.scoring.score import score_texts
from versus_peers import HERE, OURS, PEERS, Run, run_command

TEXTS = materials.BLIMP.parent / "text"
LINES = 60_000
"""Lines of each text from which a vocabulary is made."""
PEER = "minicons"
BERT_SYMBOLS = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
ROBERTA_SYMBOLS = {"cls": "<s>", "pad": "<pad>", "sep": "</s>", "unk": "<unk>", "mask": "<mask>"}


def read_lines() -> Iterator[str]:
    """The beginnings of both texts."""
    for name in ("wiki", "novels"):
        with (TEXTS / name / "train.txt").open(encoding="utf-8") as lines:
            yield from islice(lines, LINES)


def bert_tokenizer() -> Tokenizer:
    """WordPiece in lower case, 30,522 tokens."""
    tokenizer = Tokenizer(token_models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    special = list(BERT_SYMBOLS.values())
    trainer = trainers.WordPieceTrainer(vocab_size=30_522, special_tokens=special, show_progress=False)
    tokenizer.train_from_iterator(read_lines(), trainer)
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def roberta_tokenizer() -> Tokenizer:
    """Byte-level byte-pair encoding, 50,265 tokens."""
    tokenizer = Tokenizer(token_models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet, special = pre_tokenizers.ByteLevel.alphabet(), list(ROBERTA_SYMBOLS.values())
    trainer = trainers.BpeTrainer(
        vocab_size=50_265, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(read_lines(), trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return tokenizer


def make_model(kind: str, folder: Path, *, layers: int, width: int) -> None:
    """Write a model of random weights and its tokenizer, unless they are there."""
    if (folder / "tokenizer.json").exists():
        return
    symbols = BERT_SYMBOLS if kind == "bert" else ROBERTA_SYMBOLS
    tokenizer = bert_tokenizer() if kind == "bert" else roberta_tokenizer()
    shape = {
        "vocab_size": tokenizer.get_vocab_size(), "hidden_size": width, "num_hidden_layers": layers,
        "num_attention_heads": width // 64, "intermediate_size": 4 * width, "initializer_range": 0.1,
        "pad_token_id": tokenizer.token_to_id(symbols["pad"]),
    }  # fmt: skip
    config = transformers.BertConfig(**shape) if kind == "bert" else transformers.RobertaConfig(**shape)
    torch.manual_seed(0)
    transformers.AutoModelForMaskedLM.from_config(config).save_pretrained(folder)
    roles = {f"{role}_token": symbol for role, symbol in symbols.items()}
    transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, **roles).save_pretrained(folder)


def write_pairs(folder: Path, pairs: int) -> list[str]:
    """Write the first pairs of every published paradigm as suites; return their sentences, each once."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = []
    for path in sorted(materials.BLIMP.glob("*.jsonl")):
        lines = path.read_text(encoding="utf-8").splitlines()[:pairs]
        (folder / path.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
        texts += [json.loads(line)[side] for line in lines for side in ("sentence_good", "sentence_bad")]
    return materials.distinct(texts)


def time_tools(model: Path, arguments: argparse.Namespace, *, turn: int) -> dict[str, tuple[Run, float]]:
    """Run both tools once; return whole commands, and seconds of scoring alone."""
    work = arguments.work
    store = work / "store.sqlite"
    store.unlink(missing_ok=True)
    gardenpath = [Path(sys.executable).parent / "gardenpath", "run", "--model", f"mlm:{model}", "--suite"]
    options = ["--batch-size", arguments.batch, "--threads", arguments.threads]
    commands = {
        OURS: [*gardenpath, work / "pairs", "--store", store, "--out", work / "run", "--overwrite"],
        PEER: [PEERS, HERE / "peer_minicons_masked.py", model, work / "texts.json", work / "scores.json", *options],
    }
    files = {OURS: work / "run" / "timing.json", PEER: work / "scores.json"}
    done = {}
    for tool in sorted(commands, reverse=turn % 2 == 1):
        run = run_command(commands[tool], arguments.threads, patience=arguments.patience)
        done[tool] = run, json.loads(files[tool].read_text(encoding="utf-8"))["scoring_seconds"]
        print(f"  {tool}: {run.seconds:.1f} s, others took {run.foreign:.0%} of a core", file=sys.stderr, flush=True)
    return done


def compare(kind: str, arguments: argparse.Namespace) -> None:
    """Time both tools with one kind of model, and print the table."""
    folder = arguments.work / f"{kind}-{arguments.layers}-{arguments.width}"
    make_model(kind, folder, layers=arguments.layers, width=arguments.width)
    texts = write_pairs(arguments.work / "pairs", arguments.pairs)
    (arguments.work / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    turns = [time_tools(folder, arguments, turn=turn) for turn in range(arguments.repeats)]
    print(f"\n{kind}, {arguments.layers} layers of {arguments.width}: {describe_work(folder, texts, arguments.work)}")
    for title, seconds in {
        "whole command": lambda run, _: run.seconds,
        "whole command, processor": lambda run, _: run.processor,
        "scoring alone": lambda _, scoring: scoring,
    }.items():
        for tool in (OURS, PEER):
            values = " ".join(f"{seconds(*turn[tool]):7.1f}" for turn in turns)
            ratios = " ".join(f"{seconds(*turn[tool]) / seconds(*turn[OURS]):5.2f}" for turn in turns)
            print(f"{title:26}{tool:16}{values:32}{ratios:24}{max(turn[tool][0].peak_mb for turn in turns):>8.0f} MB")


def describe_work(folder: Path, texts: list[str], work: Path) -> str:
    """Say how many masked rows there are, and how minicons' last scores differ from ours, in bits and seconds."""
    model = load_model(f"mlm:{folder}")
    assert isinstance(model, MaskedModel)
    start = time.process_time()
    scores = score_texts(model, texts)
    ours = time.process_time() - start
    encoded = scores.encoded
    words = find_words(texts, encoded, model.tokenizer.backend, model.words)
    rows = mask_tokens(encoded, words, model.frame, model.masking)
    theirs = json.loads((work / "scores.json").read_text(encoding="utf-8"))
    largest = float(np.max(np.abs(scores.bits - np.concatenate(theirs["bits"]))))
    times = theirs["scoring_processor"], ours
    return (
        f"{len(texts):,} sentences, {len(encoded.ids):,} tokens, {len(rows):,} distinct masked rows; "
        f"largest difference to {PEER} {largest:.1e} bits a token; scoring alone takes {PEER} {times[0]:.1f} s of "
        f"processor time and us {times[1]:.1f} s ({times[0] / times[1]:.2f} times)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("/tmp/gardenpath-benchmarks/masked"))
    parser.add_argument("--kinds", nargs="+", choices=["bert", "roberta"], default=["bert", "roberta"])
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--pairs", type=int, default=20, help="of each paradigm")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--batch", type=int, default=8, help="sentences in a batch of minicons")
    parser.add_argument("--patience", type=float, default=120, help="seconds to wait for a quiet machine")
    arguments = parser.parse_args()
    if not materials.BLIMP.is_dir() or not TEXTS.is_dir():
        sys.exit(f"{materials.BLIMP} or {TEXTS} is not there")
    arguments.work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(arguments.threads)
    for kind in arguments.kinds:
        compare(kind, arguments)


if __name__ == "__main__":
    main()
