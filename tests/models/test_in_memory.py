"""Networks and tokenizers of transformers that are in memory are read like those in a folder."""

from pathlib import Path

import pytest

import gardenpath as gp
from gardenpath.errors import InputError
from small_models import save_tiny, tiny_gpt2, tiny_llama

TEXTS = ["The keys to the cabinet is lost.", "The keys are lost."]


@pytest.mark.parametrize("build", [tiny_gpt2, tiny_llama])
def test_a_causal_network_scores_as_its_folder(build, tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    network = build()
    folder = save_tiny(tmp_path, network)
    model = gp.load_model(network.train(), tokenizer=AutoTokenizer.from_pretrained(folder))
    assert not model.card.has_fingerprint
    assert model.card.bos == "<|endoftext|>"
    assert gp.score(model, TEXTS).tokens().equals(gp.score(f"hf:{folder}", TEXTS).tokens())


def test_a_masked_network_scores_as_its_folder(tmp_path: Path) -> None:
    from transformers import AutoTokenizer, BertConfig, BertForMaskedLM

    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    network = BertForMaskedLM(BertConfig(vocab_size=400, **sizes)).eval()
    folder = save_tiny(tmp_path, network, symbols=["<|endoftext|>", "<mask>"])
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.mask_token = "<mask>"
    tokenizer.save_pretrained(folder)
    model = gp.load_model(network, tokenizer=tokenizer, masking="original")
    expected = gp.score(f"mlm:{folder}", TEXTS, masking="original")
    assert gp.score(model, TEXTS).tokens().equals(expected.tokens())
    assert gp.score(model, TEXTS, masking="original").tokens().equals(expected.tokens())
    with pytest.raises(InputError, match="whose masking is 'original', where masking='whole-word' is asked for"):
        gp.score(model, TEXTS, masking="whole-word")


def test_options_that_come_too_late_for_a_loaded_model_are_refused(tmp_path: Path) -> None:
    folder = f"hf:{save_tiny(tmp_path, tiny_gpt2())}"
    model = gp.load_model(folder)
    nothing = {"bos": "none", "first": "zero"}
    with pytest.raises(InputError, match=r"reads '<\|endoftext\|>' first, where bos='none' is asked for: load it with"):
        gp.score(model, TEXTS, **nothing)
    with pytest.raises(InputError, match="whose dtype is 'float32', where dtype='bfloat16' is asked for"):
        gp.run(models=[model], suites=["agreement"], sample=1, dtype="bfloat16")
    with pytest.raises(InputError, match="is an object: load it with conventions="):
        gp.score(model, TEXTS, conventions=["lm-zoo"])
    with pytest.raises(InputError, match="used as it is; leave out device, dtype"):
        gp.load_model(model, device="cpu", dtype="bfloat16")
    assert gp.score(model, TEXTS, bos="<|endoftext|>").tokens().equals(gp.score(model, TEXTS).tokens())
    unread = gp.load_model(folder, bos="none")
    assert gp.score(unread, TEXTS, **nothing).tokens().equals(gp.score(folder, TEXTS, **nothing).tokens())


def test_what_is_no_network_with_a_tokenizer(tmp_path: Path) -> None:
    from transformers import AutoTokenizer, GPT2Model

    network = tiny_gpt2()
    tokenizer = AutoTokenizer.from_pretrained(save_tiny(tmp_path, network))
    with pytest.raises(InputError, match="of type GPT2LMHeadModel needs its tokenizer: load_model"):
        gp.load_model(network)
    with pytest.raises(InputError, match="a network and a tokenizer of transformers, not str 'hf:gpt2' and"):
        gp.load_model("hf:gpt2", tokenizer=tokenizer)
    with pytest.raises(InputError, match="is a GPT2Model, which is neither a causal nor a masked language model"):
        gp.load_model(GPT2Model(network.config), tokenizer=tokenizer)
