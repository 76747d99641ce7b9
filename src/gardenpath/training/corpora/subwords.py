"""Sub-word vocabularies: byte-level byte-pair encoding as GPT-2 has it, trained on a corpus or taken from a file."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from gardenpath.errors import InputError
from gardenpath.io.messages import advise
from gardenpath.models.tokenizers import SubwordTokenizer, unknown_id
from gardenpath.text.corpus_reader import ReportBytes, TextBlock, block_sentences, map_blocks
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import split_words
from gardenpath.training.corpora.encoding import Corpus, EncodedBlock, encode

END_OF_TEXT = "<|endoftext|>"
"""Read before every text, and after it."""
ENDS = (END_OF_TEXT, "</s>", "<eos>", "<|end_of_text|>", "[SEP]")
"""The spellings of the end of a text in tokenizers."""
BYTES = 256
RARE = "ꙮ"
"""A letter that is in no vocabulary, except as bytes."""


@dataclass(frozen=True)
class Subwords:
    """A sub-word vocabulary, as in its tokenizer.json."""

    content: str
    """The text of tokenizer.json."""
    end: str = END_OF_TEXT
    """The symbol at the edges of texts."""

    @cached_property
    def backend(self) -> Tokenizer:
        """The tokenizer of the tokenizers library."""
        return Tokenizer.from_str(self.content)

    @cached_property
    def unknown(self) -> int | None:
        """The id of the unknown token, where there is one."""
        return unknown_id(self.backend)

    @cached_property
    def end_number(self) -> int:
        """The id of the end symbol."""
        return self.tokenizer.id_of(self.end)

    @property
    def tokenizer(self) -> SubwordTokenizer:
        """The tokenizer of training texts, in which the end symbol may separate documents."""
        return SubwordTokenizer(self.backend, self.unknown, reads_symbols=True)

    def __len__(self) -> int:
        return self.backend.get_vocab_size(with_added_tokens=True)


def train_bpe(
    path: Path | str, size: int, reading: Reading | None = None, *, progress: ReportBytes | None = None
) -> Subwords:
    """Learn byte-pair encoding from a corpus, read block by block: `size` tokens with the bytes and the end symbol."""
    if size <= BYTES + 1:
        raise InputError(f"a vocabulary of {size} sub-words has no room: {BYTES} bytes and {END_OF_TEXT} come first")
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size, min_frequency=2, special_tokens=[END_OF_TEXT], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    reading = reading or Reading()
    work = partial(sentences_in_case, reading=reading)
    blocks = map_blocks(Path(path), reading.layout, work, workers=1, progress=progress)
    backend.train_from_iterator(blocks, trainer)
    subwords = Subwords(backend.to_str())
    if len(subwords) < size:
        found = f"there are {len(subwords):,} that occur twice"
        advise(f"{path} has too few words for {size:,} sub-words: {found}")
    return subwords


def sentences_in_case(block: TextBlock, reading: Reading) -> list[str]:
    """The sentences of a block, in the case they are read in; the tokenizer finds the words."""
    sentences = block_sentences(block, reading.layout)
    return [sentence.lower() for sentence in sentences] if reading.lower else sentences


def read_subwords(path: Path | str, *, end: str | None = None) -> Subwords:
    """Read a sub-word vocabulary from a tokenizer.json or its folder; `end` names the symbol between texts."""
    path = Path(path)
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        subwords = Subwords(file.read_text(encoding="utf-8"))
        known = subwords.backend.get_vocab(with_added_tokens=True)
        Tokenizer.from_str(subwords.backend.to_str())  # merges that do not fit the vocabulary are found only here
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}; name a tokenizer.json") from error
    except Exception as error:  # what the library itself raises
        raise InputError(f"{file} is not a tokenizer ({error}); name a tokenizer.json") from error
    found = next((symbol for symbol in ([end] if end else ENDS) if symbol in known), None)
    if found is None:
        raise InputError(
            f"{file} has none of the symbols {', '.join([end] if end else ENDS)}; name its end of text (--end-symbol)"
        )
    if not subwords.backend.encode(RARE, add_special_tokens=False).ids:
        advise(
            f"{file} leaves out characters it does not know: they have no bits, so that perplexities are too low for "
            "texts that have them; give a tokenizer with bytes or with an unknown token"
        )
    return Subwords(subwords.content, found)


def encode_subwords(
    path: Path | str, reading: Reading, subwords: Subwords, folder: Path | str, progress: ReportBytes | None = None
) -> Corpus:
    """Encode a text as ids of sub-words, every sentence followed by the end symbol; `words` counts words as read."""
    work = partial(encode_block_subwords, reading=reading, subwords=subwords)
    code = f"{subwords.end}\n{subwords.content}"
    return encode(Path(path), reading, work, code, Path(folder), progress)


def encode_block_subwords(block: TextBlock, reading: Reading, subwords: Subwords) -> EncodedBlock:
    """The ids of the sub-words of a block."""
    sentences = sentences_in_case(block, reading)
    encoded = subwords.tokenizer.encode(sentences)
    ids = np.insert(encoded.ids, encoded.offsets[1:], subwords.end_number).astype(np.int32)
    words = sum(map(len, split_words(sentences, reading.split)))
    unknown = int(np.count_nonzero(~encoded.known))
    return EncodedBlock(ids, len(sentences), words, Counter({"<unk>": unknown} if unknown else {}))
