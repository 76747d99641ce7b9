"""`gardenpath.score`: the surprisals of sentences as tables of tokens, words and sentences, and as shaded text."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, Unpack

import numpy as np
import polars

from gardenpath.errors import InputError
from gardenpath.io.messages import quote, suggest
from gardenpath.io.pandas_frames import to_pandas
from gardenpath.io.terminal_bars import BarSentence, BarWord, WordBars
from gardenpath.io.terminal_table import TerminalTable
from gardenpath.models.protocol import AnyModel, ModelCard, remarks_of
from gardenpath.runs.events import ModelFinished, OnRunEvent, RunNote, warn_of_notes
from gardenpath.runs.given_sentences import as_prefixes, as_texts
from gardenpath.runs.model_choice import expand_choices, load_choice, split_choice, split_label
from gardenpath.runs.spec import ModelChoice, RunSpec, ScoreFields
from gardenpath.runs.stored_scoring import score_with_store
from gardenpath.runs.token_details import detail_table, spell_tokens
from gardenpath.runs.token_table import token_tables
from gardenpath.runs.unused_options import describe_unused
from gardenpath.scoring.surprisals import Surprisals, TextScores
from gardenpath.text.alignment import align_words

if TYPE_CHECKING:
    import pandas

END = "</s>"
"""How the end of a sentence appears in tables, where it was scored by a model that does not spell it."""
DARKEST = 20.0
"""Bits from which on the shading of a word does not get darker."""
TOKEN_COLUMNS = {"start": polars.Int64, "end": polars.Int64, "bits": polars.Float64, "known": polars.Boolean}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Scores:
    """Surprisals of sentences in bits.

    >>> scores = gp.score(bigram, "the dog barks")
    >>> scores.words().columns
    ['sentence', 'word', 'start', 'end', 'bits', 'known']
    """

    sentence_texts: tuple[str, ...]
    model: ModelCard
    arrays: TextScores
    """The surprisals of all tokens in flat arrays."""
    details: polars.DataFrame | None = None
    """Further details of every token."""
    end: str = END
    """The symbol that was scored as the end of a sentence, if it was."""

    def __len__(self) -> int:
        return len(self.sentence_texts)

    def __getitem__(self, sentence: int) -> Surprisals:
        return self.arrays[range(len(self))[sentence]]

    def tokens(self) -> polars.DataFrame:
        """Return a row per token: sentence (index), token (text), start, end, bits (NaN if missing), known; details."""
        encoded = self.arrays.encoded
        sentence = np.repeat(np.arange(len(self)), encoded.lengths)
        spans = zip(sentence.tolist(), encoded.starts.tolist(), encoded.ends.tolist(), strict=True)
        texts = [self.sentence_texts[index][start:end] for index, start, end in spans]
        schema = {"sentence": polars.Int64, "token": polars.String} | TOKEN_COLUMNS
        columns = (sentence, texts, encoded.starts, encoded.ends, self.arrays.bits, encoded.known)
        table = polars.DataFrame(dict(zip(schema, columns, strict=True)), schema=schema)
        return self._with_ends(table if self.details is None else table.hstack(self.details))

    def words(self) -> polars.DataFrame:
        """Return a row per word: sentence (index), word, start, end, bits, known.

        Words are separated by spaces; the bits of a word are those of the tokens that begin in it. It is known if all
        of these tokens are.
        """
        rows = [(index, *row) for index in range(len(self)) for row in self._word_rows(index)]
        schema = {"sentence": polars.Int64, "word": polars.String} | TOKEN_COLUMNS
        return self._with_ends(polars.DataFrame(rows, schema=schema, orient="row"))

    def sentences(self) -> polars.DataFrame:
        """Return a row per sentence: sentence (index), text, tokens, bits (with the end, if scored), known."""
        known, spans = self.arrays.encoded.known, pairwise(self.arrays.encoded.offsets)
        rows = [
            (index, text, int(end - start), self.arrays[index].total, bool(known[start:end].all()))
            for index, (text, (start, end)) in enumerate(zip(self.sentence_texts, spans, strict=True))
        ]
        schema = {
            "sentence": polars.Int64, "text": polars.String, "tokens": polars.Int64, "bits": polars.Float64,
            "known": polars.Boolean,
        }  # fmt: skip
        return polars.DataFrame(rows, schema=schema, orient="row")

    def to_pandas(self, unit: Literal["tokens", "words", "sentences"] = "words") -> "pandas.DataFrame":
        """Return the table of words, or of tokens or sentences, as a pandas frame."""
        if unit not in ("tokens", "words", "sentences"):
            raise InputError(f"unit is {unit!r}; it must be 'tokens', 'words' or 'sentences'")
        return to_pandas(getattr(self, unit)())

    def _word_rows(self, index: int) -> Iterator[tuple[str, int, int, float, bool]]:
        """Yield the words of a sentence: text, start, end, bits, known."""
        text, arrays = self.sentence_texts[index], self.arrays
        span = slice(arrays.encoded.offsets[index], arrays.encoded.offsets[index + 1])
        starts, bits, known = arrays.encoded.starts[span], arrays.bits[span], arrays.encoded.known[span]
        words = list(re.finditer(r"\S+", text))
        edges = np.searchsorted(starts, np.array([word.span() for word in words]))
        for word, (low, high) in zip(words, edges.tolist(), strict=True):
            # A word in which no token begins is part of the token before.
            total = float(bits[low:high].sum()) if low < high else float("nan")
            yield word.group(), word.start(), word.end(), total, bool(known[low:high].all())

    def aligned(self) -> polars.DataFrame:
        """Return the table of words with a `column`, which corresponding words of several sentences share.

        >>> gp.score(bigram, ["the dog barks", "the dogs bark"]).aligned()["column"].to_list()
        [0, 1, 2, 0, 1, 2]
        """
        table = self.words()
        words = [table.filter(sentence=index)["word"].to_list() for index in range(len(self))]
        columns = [column for one in align_words(words) for column in one]
        return table.with_columns(polars.Series("column", columns, polars.Int64))

    def bars(self) -> WordBars:
        """Return the words with bars, one sentence below another; `print(scores.bars())` shows them."""
        words: dict[int, list[BarWord]] = {index: [] for index in range(len(self))}
        for row in self.aligned().iter_rows(named=True):
            words[row["sentence"]].append(BarWord(row["word"], row["bits"], row["column"], known=row["known"]))
        return WordBars([BarSentence(words[index], self.arrays[index].total) for index in range(len(self))])

    def token_tables(self) -> list[TerminalTable]:
        """Return a terminal table per sentence, with a row per token and its bits and details; rich prints them."""
        return token_tables(self.tokens(), self.sentence_texts)

    def _with_ends(self, table: polars.DataFrame) -> polars.DataFrame:
        """Add a row for the end of every sentence, if it was scored."""
        if self.arrays.end_bits is None:
            return table
        lengths = [len(text) for text in self.sentence_texts]
        columns = [range(len(self)), [self.end] * len(self), lengths, lengths, self.arrays.end_bits, [True] * len(self)]
        schema = dict(list(table.schema.items())[: len(columns)])  # an end has bits and no details
        ends = polars.DataFrame(dict(zip(schema, columns, strict=True)), schema=schema)
        return polars.concat([table, ends], how="diagonal").sort("sentence", maintain_order=True)

    def __repr__(self) -> str:
        return f"Scores of {len(self)} sentence{'s' if len(self) != 1 else ''} by {self.model.name}\n{self.sentences()}"

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{self.shaded(index)}</p>" for index in range(len(self)))
        return f"<div><small>{html.escape(self.model.name)}: surprisal in bits</small>{lines}</div>"

    def shaded(self, index: int) -> str:
        """Write a sentence as HTML, each word shaded by its surprisal."""
        words = []
        for word, _, _, bits, known in self._word_rows(index):
            shade = 0.0 if np.isnan(bits) else min(bits / DARKEST, 1.0)
            title = "no surprisal" if np.isnan(bits) else f"{bits:.2f} bits" + ("" if known else ", unknown word")
            words.append(
                f'<span style="background: rgba(214, 80, 48, {0.85 * shade:.2f})" title="{title}">'
                f"{html.escape(word)}</span>"
            )
        return " ".join(words)


def score(
    model: ModelChoice,
    sentences: str | Iterable[str],
    *,
    on_event: OnRunEvent | None = None,
    **fields: Unpack[ScoreFields],
) -> Scores:
    """Score sentences with a model: its name, a model from `load_model` or `train`, or your own model.

    The other fields are those of `RunSpec`: bos, special, masking, revision, beam, conventions, prefix, device, dtype,
    end, first, word_boundary, details, top, memory. A `prefix` and a space are read before every sentence, and are
    not part of the tables: bits are those of the sentence given the prefix. A list has one prefix for each sentence.
    With an s2s: model, the encoder reads the prefix, which must be a string.

    >>> scores = gp.score(bigram, ["the dog barks", "the dog bark"])
    >>> scores.words().filter(sentence=1)["word"].to_list()
    ['the', 'dog', 'bark']
    >>> gp.score(bigram, "barks", prefix="the dog").words().select("word", "start").rows()
    [('barks', 0)]
    """
    require_options(fields)
    notify = on_event or warn_of_notes
    texts = as_texts(sentences)
    loaded, spec, before = load_with_prefixes(model, dict(fields), texts, notify)
    read = [prefix + text for prefix, text in zip(before, texts, strict=True)]
    scored = score_with_store(loaded, read, [], options=spec.scoring, store=None, on_event=notify)
    for remark in (*remarks_of(loaded), *describe_unused(spec, [loaded.card])):
        notify(RunNote(remark))
    notify(ModelFinished(loaded.card.name, len(texts), scored.computed))
    arrays = scored.scores.after([len(prefix) for prefix in before])
    details = detail_table(arrays, partial(spell_tokens, loaded), spec.scoring.details)
    return Scores(texts, loaded.card, arrays, details, spell_end(loaded))


def load_with_prefixes(
    model: ModelChoice, fields: dict[str, Any], texts: Sequence[str], notify: OnRunEvent
) -> tuple[AnyModel, RunSpec, tuple[str, ...]]:
    """Load the model; return what it reads before each text, which is nothing if its encoder reads the prefix."""
    prefix = fields.get("prefix", "")
    if not has_encoder(model):
        before = as_prefixes(prefix, texts)
        fields["prefix"] = ""
    elif isinstance(prefix, str):
        before = as_prefixes("", texts)
    else:
        raise InputError("prefix is a list, and the encoder of an s2s: model reads one; score the texts of each alone")
    spec = RunSpec.from_fields(fields)
    return load_choice(one_model(model, spec), spec, notify), spec, before


def spell_end(model: AnyModel) -> str:
    """Return the symbol that is scored as the end of a sentence, if its tokenizer spells it."""
    if model.card.end is None or not callable(getattr(model.tokenizer, "pieces", None)):
        return END
    return spell_tokens(model, np.array([model.card.end]))[0].strip() or END


def require_options(names: Iterable[str]) -> None:
    """Refuse an option that `score` does not take, though a run may."""
    known = list(ScoreFields.__annotations__)
    for name in names:
        if name not in known:
            raise InputError(f"score has no option {name!r}; its options are {', '.join(known)}{suggest(name, known)}")


def one_model(model: ModelChoice, spec: RunSpec) -> ModelChoice:
    """Return the one model that is meant, with the revision of the specification; refuse several."""
    name, found = split_choice(model, "model")
    chosen = expand_choices(spec.model_copy(update={"models": (name,)}), () if found is None else (name,))
    if len(chosen) > 1:
        raise InputError(f"{name} stands for {len(chosen)} models; score sentences with one: {quote(chosen, most=4)}")
    return model if found is not None else chosen[0]


def has_encoder(model: ModelChoice) -> bool:
    """Tell whether a model is an encoder-decoder, whose encoder reads the prefix."""
    name, _ = split_choice(model, "model")
    return split_label(name)[1].startswith("s2s:")
