"""The tokens a transformer is trained on: words, or sub-words learned from the corpus or taken from a file."""

from dataclasses import dataclass, replace
from pathlib import Path

from tokenizers import Tokenizer, normalizers

from gardenpath.errors import InputError
from gardenpath.io.sealed_json import parse_object
from gardenpath.models.trained.checkpoint_record import write_text
from gardenpath.models.trained.gpt2 import TextOptions, TokenUnit, count_subwords, token_file
from gardenpath.text.corpus_reader import ReportBytes
from gardenpath.text.reading import Reading
from gardenpath.text.vocabulary import END, Vocabulary, read_vocabulary
from gardenpath.training.corpora.encoding import Corpus, encode_corpus
from gardenpath.training.corpora.subwords import Subwords, encode_subwords, read_subwords, train_bpe


@dataclass(frozen=True)
class TokenSet:
    """Words or sub-words, as a training uses them."""

    source: Vocabulary | Subwords

    @property
    def unit(self) -> TokenUnit:
        """What a token is."""
        return "word" if isinstance(self.source, Vocabulary) else "subword"

    @property
    def end(self) -> str:
        """The symbol between sentences."""
        return END if isinstance(self.source, Vocabulary) else self.source.end

    @property
    def end_number(self) -> int:
        """The id of the symbol between sentences."""
        return self.source.ids[END] if isinstance(self.source, Vocabulary) else self.source.end_number

    def __len__(self) -> int:
        return len(self.source) if isinstance(self.source, Vocabulary) else count_subwords(self.source.backend)

    def text_options(self, reading: Reading) -> TextOptions:
        """How scoring splits texts in the same way."""
        return TextOptions(self.unit, self.end, reading.split)

    def encode(self, path: Path, reading: Reading, folder: Path, *, progress: ReportBytes | None = None) -> Corpus:
        """Encode a text on disk, every sentence followed by the end symbol."""
        if isinstance(self.source, Vocabulary):
            return encode_corpus(path, reading, self.source, folder, progress)
        return encode_subwords(path, reading, self.source, folder, progress)

    def save(self, folder: Path) -> None:
        """Write the tokens into a checkpoint directory."""
        content = self.source.to_json() if isinstance(self.source, Vocabulary) else self.source.content
        write_text(folder / token_file(self.unit), content)


def build_subwords(corpus: Path, reading: Reading, size: int, progress: ReportBytes | None) -> TokenSet:
    """Learn byte-pair encoding from a corpus."""
    return TokenSet(without_truncation(train_bpe(corpus, size, reading, progress=progress), lower=reading.lower))


def read_token_set(path: Path, reading: Reading, *, end: str | None = None) -> TokenSet:
    """Read the tokens of a file: a tokenizer.json (or a folder with one), or a vocabulary.json of gardenpath."""
    if is_vocabulary(path):
        if end not in (None, END):
            raise InputError(f"{path} is a vocabulary of words, in which sentences end with {END}, not {end}")
        vocabulary = read_vocabulary(path)
        return TokenSet(replace(vocabulary, lower=vocabulary.lower or reading.lower))
    return TokenSet(without_truncation(read_subwords(path, end=end), lower=reading.lower))


def is_vocabulary(path: Path) -> bool:
    """Whether a file is a vocabulary of words, not of sub-words."""
    try:
        content = parse_object(path.read_bytes())
    except (OSError, ValueError):
        return False  # the reader of the file reports what is wrong with it
    return "words" in content and "unknown" in content


def without_truncation(subwords: Subwords, *, lower: bool) -> Subwords:
    """A tokenizer without truncation that lower-cases texts itself where the corpus is read in lower case."""
    backend = Tokenizer.from_str(subwords.content)
    backend.no_truncation()
    backend.no_padding()
    before = [] if backend.normalizer is None else [backend.normalizer]
    if lower and not any(normalizer.normalize_str("A") == "a" for normalizer in before):
        backend.normalizer = normalizers.Sequence([*before, normalizers.Lowercase()])
    changed = Subwords(backend.to_str(), subwords.end)
    try:
        _ = changed.backend
    except Exception as error:  # what the library itself raises
        raise InputError(f"the tokenizer cannot be used ({error}); name another tokenizer.json") from error
    return changed
