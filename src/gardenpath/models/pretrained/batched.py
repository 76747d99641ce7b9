"""Causal models that cannot read a tree packed: whole texts, in batches of equal length."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from gardenpath.models.card import overlapping_windows
from gardenpath.models.details import NOTHING_MORE, Details, describe_tokens
from gardenpath.models.placement import input_device, rows_that_fit
from gardenpath.models.pretrained.head import bits_of_logits
from gardenpath.models.protocol import Bits, ModelCard
from gardenpath.models.tokenizers import SubwordTokenizer
from gardenpath.text.tokens import Encoded, Ids

BYTES_PER_LOGIT = 4
LOGITS_PER_BATCH = 1 << 25
"""Logits that one pass on a CPU computes at most (128 MB), unless a single text has more."""


class BatchedCausalModel:
    """A causal model as a `TextModel`: no prefix is shared, so it is slower, with the same numbers."""

    def __init__(self, card: ModelCard, tokenizer: SubwordTokenizer, model: Any) -> None:
        self.card = card
        self.tokenizer = tokenizer
        self.model = model
        self.bos_id = None if card.bos is None else tokenizer.id_of(card.bos)

    def score(self, texts: Sequence[str]) -> tuple[Encoded, Bits]:
        """Score texts of equal token count together: no padding is needed."""
        return self.describe(texts, NOTHING_MORE)

    def describe(self, texts: Sequence[str], details: Details) -> tuple[Encoded, Bits]:
        """Return the tokens of every text, and each as a described token; without details, its bits alone."""
        encoded = self.tokenizer.encode(texts)
        bits: Bits = np.full((len(encoded.ids), *details.columns), np.nan)
        for length in np.unique(encoded.lengths):
            alike = np.flatnonzero(encoded.lengths == length)
            indices = encoded.offsets[alike][:, None] + np.arange(length)  # (texts, tokens)
            bits[indices] = self.score_equal(encoded.ids[indices], details)
        return encoded, bits

    @torch.inference_mode()
    def score_equal(self, ids: Ids, details: Details) -> Bits:
        """Score texts of one length, in overlapping windows where they are longer than the model's."""
        bits: Bits = np.full((*ids.shape, *details.columns), np.nan)
        for start, first_used, end in overlapping_windows(ids.shape[1], self.card.window):
            size = self.texts_per_pass(end - start + 1)
            for first in range(0, len(ids), size):
                rows = slice(first, first + size)
                bits[rows, first_used:end] = self.forward(ids[rows, start:end], details)[:, first_used - start :]
        return bits

    def texts_per_pass(self, length: int) -> int:
        """Return how many texts of a length are read together, by the memory of their logits and of their copy."""
        logits = length * self.vocabulary_size
        on_cpu = max(1, LOGITS_PER_BATCH // logits)
        return rows_that_fit(input_device(self.model), 2 * BYTES_PER_LOGIT * logits, on_cpu=on_cpu)

    @property
    def vocabulary_size(self) -> int:
        """The number of tokens that the model has weights for."""
        return int(self.model.config.get_text_config().vocab_size)

    def forward(self, ids: Ids, details: Details = NOTHING_MORE) -> Bits:
        """Score texts in one plain forward pass; without a beginning-of-sentence symbol the first bits are missing."""
        read = torch.as_tensor(ids)
        if self.bos_id is not None:
            read = torch.cat([torch.full((len(read), 1), self.bos_id), read], dim=1)
        read = read.to(input_device(self.model))
        logits = self.model(input_ids=read, use_cache=False).logits[:, :-1].float()  # (texts, tokens, vocabulary)
        nats = -torch.log_softmax(logits, dim=-1).gather(-1, read[:, 1:, None])[..., 0]
        bits: Bits = (nats.double() / np.log(2)).clamp(min=0.0).cpu().numpy()
        if details:
            every, ids_read = logits.flatten(0, 1), read[:, 1:].flatten().cpu().numpy()
            rows = np.arange(len(ids_read))
            others = describe_tokens(lambda some: bits_of_logits(every[some]), rows, ids_read, details)
            bits = np.concatenate([bits[..., None], others.reshape(*bits.shape, details.width)], axis=2)
        if self.bos_id is None:
            bits = np.concatenate([np.full_like(bits, np.nan, shape=(len(ids), 1, *bits.shape[2:])), bits], axis=1)
        return bits
