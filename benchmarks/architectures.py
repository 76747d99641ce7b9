"""Which causal architectures of transformers does gardenpath read, by which path, and how exactly?

python benchmarks/architectures.py [--only NAME ...] [--again] [--table FILE]

A small model with random weights is made of every architecture for which the library has a configuration and a causal
head, is loaded as a user would load it, and scores sentences that share their beginnings and a text that is longer than
all windows of attention. Every surprisal is compared with plain forward passes in float64, one text at a time, and, for
comparison, so are plain passes in float32. Each architecture is tried in a process of its own with a time-out; results
are kept line by line in --work, so an interrupted run resumes. --table writes them between the markers of a page.
"""

import argparse
import dataclasses
import inspect
import json
import multiprocessing
import re
import shutil
import signal
import sys
import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES as CAUSAL

from gardenpath.errors import InputError
from gardenpath.models.load import load_model
from gardenpath.models.pretrained.packed import PackedModel
from gardenpath.models.pretrained.rotary import RotaryReader
from gardenpath.models.pretrained.stepped import SteppedModel
from gardenpath.scoring.score import ScoreOptions, score_texts

SENTENCES = [
    f"The {noun} {relative} {verb} {rest}."
    for noun in ("key to the cabinets", "keys to the cabinet")
    for relative in ("that the guards like", "near the guard")
    for verb in ("is", "are")
    for rest in ("lost", "on the table of the old senator", "never to be found again by anybody")
]
TEXTS = [*SENTENCES, "No", "The key", " ".join(SENTENCES[:12])]
WINDOW = 40
"""Tokens that a word sees where a model has windows: more than in the sentences read when a model is loaded, fewer than
in the longest text."""
SYMBOL = "<|endoftext|>"
VOCABULARY = 320
INFLUENCE = 1e-2
"""Bits: where words depend less than this on those before them, errors in what they see would not be noticed."""
PATHS = {
    "fused": "read packed by our own layers",
    "packed": "read packed by the library's layers",
    "stepped": "read token by token, by their state",
    "whole sentences": "scored whole, in batches of equal length",
    "refused": "refused with a message",
    "failed": "failed without one",
    "not made": "of which no small model could be made",
}
REASON = re.compile(r"^model '[^']*': (.*), so sentences do not share.*$")
LONGEST_REMARK = 160
BEGIN, END = "<!-- architectures: begin -->", "<!-- architectures: end -->"
SMALL_BY_NUMBER: dict[Any, str] = {
    32: "hidden_size d_model n_embd dim emb_dim embedding_size attention_hidden_size moe_intermediate_size "
    "shared_expert_intermediate_size shared_intermediate_size shared_experts_intermediate_size input_embedding_size "
    "output_embedding_size moe_shared_expert_intermediate_size d_attn hidden_size_global",
    4: "num_hidden_layers n_layer n_layers num_layers decoder_layers encoder_layers num_decoder_layers "
    "num_encoder_layers num_blocks num_attention_heads n_head n_heads num_heads attention_heads "
    "decoder_attention_heads encoder_attention_heads num_encoder_attention_heads num_decoder_attention_heads "
    "swa_num_attention_heads num_experts num_local_experts moe_num_experts n_routed_experts mamba_n_heads "
    "mamba_num_heads linear_num_value_heads index_topk index_block_size",
    2: "depth num_key_value_heads swa_num_key_value_heads num_experts_per_tok moe_topk moe_k linear_num_key_heads "
    "n_groups index_n_heads index_topk_blocks zero_expert_num",
    1: "n_group topk_group",
    64: "intermediate_size decoder_ffn_dim encoder_ffn_dim ffn_dim ffn_hidden_size intermediate_size_mlp dff dim_ff "
    "expert_ffn_hidden_size mamba_d_ssm d_inner",
    8: "head_dim v_head_dim qk_nope_head_dim qk_rope_head_dim swa_head_dim rotary_dim dim_head linear_key_head_dim "
    "linear_value_head_dim index_head_dim mamba_d_state ssm_state_size state_size",
    16: "kv_lora_rank q_lora_rank mamba_d_head mamba_head_dim hidden_size_per_layer_input",
    512: "max_position_embeddings n_positions n_ctx max_seq_len context_length",
    WINDOW: "sliding_window attention_chunk_size window_size sliding_window_size local_attention keep_window_size",
    VOCABULARY: "vocab_size src_vocab_size vocab_size_per_layer_input",
    VOCABULARY - 1: "pad_token_id",
    0.3: "initializer_range init_std",
    0: "bos_token_id eos_token_id",
}  # fmt: skip
SMALL = {name: value for value, names in SMALL_BY_NUMBER.items() for name in names.split()} | {"is_decoder": True}
"""Settings by name, wherever a configuration has them: everything small, and windows shorter than the longest text."""
ROTATION = {"rope_type": "default", "rope_theta": 10000.0}
ROBERTA = ("camembert", "data2vec-text", "roberta", "roberta-prelayernorm", "xlm-roberta", "xlm-roberta-xl", "xmod")
INDEXER = {
    "indexer_n_heads": 2, "indexer_kv_heads": 1, "indexer_head_dim": 8, "indexer_budget": 8, "indexer_compress_ratio": 2
}  # fmt: skip
OWN: dict[str, dict[str, Any]] = {
    "cohere_compass_text": {"rope_parameters": {"full_attention": ROTATION, "sliding_attention": ROTATION}},
    "dbrx": {"attn_config": {"rope_theta": 10000.0, "clip_qkv": 8.0}},
    "dots1": {"n_shared_experts": 1, "max_window_layers": 2},
    "gemma3n_text": {"num_hidden_layers": 10, "num_kv_shared_layers": 5},
    "gpt_neo": {"attention_types": [[["global", "local"], 2]]},
    "lfm2": {"layer_types": ["conv", "conv", "full_attention", "conv"]},
    "lfm2_moe": {"layer_types": ["conv", "conv", "full_attention", "conv"], "num_dense_layers": 1},
    "mamba2": {"num_heads": 4, "head_dim": 16},
    "moshi": {"audio_vocab_size": 32},
    "qwen2": {"use_sliding_window": True, "max_window_layers": 2},
    "qwen2_moe": {"use_sliding_window": True, "max_window_layers": 2},
    "qwen3": {"use_sliding_window": True, "max_window_layers": 2},
    "qwen3_moe": {"use_sliding_window": True},
    "zamba": {
        "attention_hidden_size": None,
        "layers_block_type": ["linear_attention", "hybrid", "linear_attention", "hybrid"],
    },
    "qwen4_exp": {"text_config": INDEXER},
    "qwen4_exp_text": INDEXER,
    "reformer": {
        "axial_pos_embds": False,
        "attn_layers": ["local"] * 4,
        "local_attn_chunk_length": 16,
        "feed_forward_size": 64,
        "attention_head_size": 8,
    },
    "zamba2": {"layers_block_type": ["linear_attention", "hybrid"] * 2},
    "zaya": {"num_experts_per_tok": 1},
}
OWN |= {name: {"pad_token_id": 1, "max_position_embeddings": 514} for name in ROBERTA}  # as in real ones
"""Settings of single architectures, beside or instead of the small ones (None: leave the library's)."""


def small_settings(config_class: type, own: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings that make a configuration small, of its parts (text, vision, sound), too."""
    if dataclasses.is_dataclass(config_class):
        names = {field.name for field in dataclasses.fields(config_class)}
    else:
        names = set(inspect.signature(config_class).parameters)
    settings = {name: value for name, value in SMALL.items() if name in names}
    parts = getattr(config_class, "sub_configs", {})
    for part, part_class in parts.items():
        if part_class is transformers.AutoConfig:
            part_class = type(getattr(config_class(), part))
            settings[part] = {"model_type": part_class.model_type, **small_settings(part_class, own.get(part) or {})}
        else:
            settings[part] = small_settings(part_class, own.get(part) or {})
    if "kv_lora_rank" in names:
        settings["num_key_value_heads"] = settings["num_attention_heads"]  # keys are made from one small vector
    settings |= {name: value for name, value in own.items() if name not in parts}
    return {name: value for name, value in settings.items() if value is not None}


def save_small(folder: Path, name: str) -> None:
    """Write a small random model of an architecture, with a byte-level tokenizer."""
    torch.manual_seed(0)
    config_class = transformers.CONFIG_MAPPING[name]
    config = config_class(**small_settings(config_class, OWN.get(name, {})))
    network = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.float32).eval()
    for module in network.modules():
        # Many begin with weights so small that no word depends on those before it.
        if isinstance(module, (torch.nn.Linear, torch.nn.Embedding)):
            torch.nn.init.normal_(module.weight, std=0.3)
    network.save_pretrained(folder)
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY - 10, special_tokens=[SYMBOL], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=SYMBOL, eos_token=SYMBOL)
    fast.save_pretrained(folder)


@torch.inference_mode()
def plain_bits(network: Any, texts: Iterable[list[int]]) -> list[np.ndarray]:
    """Return the surprisals of token sequences (the first symbol included), one plain pass each."""
    found = []
    for ids in texts:
        read = torch.tensor([ids])
        logits = network(input_ids=read, use_cache=False).logits[0, :-1].double()
        found.append(-torch.log_softmax(logits, dim=-1).gather(1, read[0, 1:, None])[:, 0].numpy() / np.log(2))
    return found


def largest(one: list[np.ndarray], other: list[np.ndarray]) -> float:
    """Return the largest difference of two lists of surprisals."""
    return max(float(np.abs(a - b).max()) for a, b in zip(one, other, strict=True))


def compare(folder: Path, model: Any) -> dict[str, Any]:
    """Compare the scores of a loaded model with plain passes in float64."""
    scores = score_texts(model, TEXTS, ScoreOptions(memory=1))
    ours = [np.array(scores[text].bits) for text in range(len(TEXTS))]
    bos = model.tokenizer.id_of(SYMBOL)
    texts = [[bos, *model.tokenizer.encode([text]).ids.tolist()] for text in TEXTS]
    # The library's faster ways through experts have no float64.
    settings = {"dtype": torch.float32, "experts_implementation": "eager"}
    network = transformers.AutoModelForCausalLM.from_pretrained(folder, **settings).eval()
    single = plain_bits(network, texts)
    try:
        double = plain_bits(network.double(), texts)
    except RuntimeError as error:  # parts of it compute in float32 whatever the weights are
        return {"difference": largest(ours, single), "note": f"compared in float32 ({first_line(error)})"}
    moved = plain_bits(network, [[texts[0][0], texts[0][1] + 1, *texts[0][2:]]])
    influence = float(np.abs(moved[0] - double[0])[2:].max())
    note = "" if influence > INFLUENCE else f"no word depends on those before it by more than {influence:.0e} bits"
    return {"difference": largest(ours, double), "plain": largest(single, double), "note": note}


def try_architecture(name: str, folder: Path) -> dict[str, Any]:
    """Make, load and score one architecture; say which path was taken, and why none better."""
    try:
        save_small(folder, name)
    except Exception as error:  # noqa: BLE001 - whatever stands in the way of a small model is what is reported
        return {"path": "not made", "note": first_line(error)}
    with warnings.catch_warnings(record=True) as raised:
        warnings.simplefilter("always")
        try:
            model = load_model(f"hf:{folder}")
        except InputError as error:
            return {"path": "refused", "note": str(error).replace(str(folder), name)}
        except Exception as error:  # noqa: BLE001 - of the loader, a defect to be reported
            return {"path": "failed", "note": f"{type(error).__name__}: {first_line(error)}"}
    reasons = [str(one.message) for one in raised if "slower, with the same numbers" in str(one.message)]
    path = "stepped" if isinstance(model, SteppedModel) else "whole sentences"
    if isinstance(model, PackedModel):
        path = "fused" if isinstance(model.reader, RotaryReader) else "packed"
    try:
        found = compare(folder, model)
    except Exception as error:  # noqa: BLE001 - the same of scoring
        return {"path": path, "note": f"failed while scoring: {type(error).__name__}: {first_line(error)}"}
    return {"path": path, **found, "reason": "; ".join(reasons).replace(str(folder), name)}


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def run_alone(name: str, work: Path, seconds: float) -> dict[str, Any]:
    """Try an architecture in a process of its own, which is ended after some seconds."""
    folder, answer = work / "model", work / "answer.json"
    shutil.rmtree(folder, ignore_errors=True)
    answer.unlink(missing_ok=True)

    def child() -> None:
        # A fork of this process, which has imported the libraries already.
        answer.write_text(json.dumps(try_architecture(name, folder)), encoding="utf-8")

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.kill()
        process.join()
        return {"path": "not made", "note": f"not done within {seconds:.0f} seconds"}
    if not answer.exists():
        return {"path": "failed", "note": f"its process ended with {signal.Signals(-(process.exitcode or 0)).name}"}
    found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
    return found


def read_results(path: Path) -> dict[str, dict[str, Any]]:
    """Read what was found so far, by architecture; a later line counts."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {one["name"]: one for one in map(json.loads, lines)}


def table_lines(found: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the lines of the table, best path first, with a summary."""
    rows = sorted(found.values(), key=lambda one: (list(PATHS).index(one["path"]), one["name"]))
    counts = {path: sum(one["path"] == path for one in rows) for path in PATHS}
    worst = max((one.get("difference", 0.0) for one in rows), default=0.0)
    summary = ", ".join(f"{count} {PATHS[path]}" for path, count in counts.items() if count)
    lines = [
        f"transformers {transformers.__version__}, {len(rows)} architectures: {summary}.",
        f"The largest difference of all is {worst:.1e} bits a token.",
        "",
        "| architecture | path | ours | plain float32 | remarks |",
        "|---|---|---:|---:|---|",
    ]
    for one in rows:
        ours, plain = (f"{one[key]:.0e}" if key in one else "" for key in ("difference", "plain"))
        remark = REASON.sub(r"\1", one.get("reason") or "") or one["note"]
        remark = remark.replace("|", "/").replace("<", "&lt;")
        lines.append(f"| {one['name']} | {one['path']} | {ours} | {plain} | {remark[:LONGEST_REMARK]} |")
    return lines


def write_table(page: Path, lines: list[str]) -> None:
    """Replace what stands between the markers of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, marker, after = rest.partition(END)
    if not marker:
        sys.exit(f"{page} has no lines {BEGIN} and {END}; put them where the table is to stand")
    page.write_text("\n".join([before + BEGIN, *lines, END + after]), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("/tmp/gardenpath-architectures"), help="models and results")
    parser.add_argument("--only", nargs="+", choices=list(CAUSAL), metavar="NAME", help="architectures to try")
    parser.add_argument("--again", action="store_true", help="try those again that were tried before")
    parser.add_argument("--seconds", type=float, default=300, help="for one architecture at most")
    parser.add_argument("--table", type=Path, help="page to write the table into, between its markers")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    arguments.work.mkdir(parents=True, exist_ok=True)
    results = arguments.work / "results.jsonl"
    known = {} if arguments.again else read_results(results)
    for name in arguments.only or CAUSAL:
        if name in known:
            continue
        found = {"name": name, **run_alone(name, arguments.work, arguments.seconds)}
        with results.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found) + "\n")
        why = found.get("reason") or found["note"]
        print(f"{name:26}{found['path']:17}{found.get('difference', float('nan')):9.1e}  {why}", flush=True)
    if arguments.table is not None:
        known = read_results(results)
        write_table(arguments.table, table_lines({name: known[name] for name in CAUSAL if name in known}))


if __name__ == "__main__":
    main()
