"""GPT-2: its tokens, its texts and first weights."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from gardenpath.errors import InputError
from gardenpath.io.digest import digest_file
from gardenpath.models.trained.checkpoint_record import read_record
from gardenpath.models.trained.gpt2 import Gpt2Options, TextOptions, token_file
from gardenpath.text.corpus_reader import read_sentences
from gardenpath.training.corpora.encoding import CORPUS_FOLDER, Corpus
from gardenpath.training.corpora.token_set import TokenSet, build_subwords, read_token_set
from gardenpath.training.corpora.training_texts import Texts, find_texts
from gardenpath.training.corpora.word_counts import count_words, unseen_note, vocabulary_of, vocabulary_record
from gardenpath.training.events import CorpusRead, Emit, Note, reading
from gardenpath.training.loop.distributed import ProcessGroup
from gardenpath.training.loop.state import can_resume
from gardenpath.training.prepare.texts import Prepared, about_texts
from gardenpath.training.specs.architectures import Gpt2Spec
from gardenpath.training.tasks.gpt2 import build_transformer_task


def gpt2_shape(spec: Gpt2Spec, vocabulary: int = 1) -> Gpt2Options:
    """The shape of a GPT-2, which has as many positions as a context has tokens."""
    return Gpt2Options(vocabulary, spec.width, spec.layers, spec.heads, spec.steps, spec.dropout)


def prepare_gpt2(spec: Gpt2Spec, emit: Emit, group: ProcessGroup) -> Prepared:
    """Find the tokens of a GPT-2, read its texts, and draw its first weights."""
    source = describe_tokens(spec)
    texts = find_texts(spec, emit)
    require_words(texts)
    tokens = find_tokens(spec, source, texts, emit, write=group.is_first)
    corpora = read_token_texts(spec, texts, tokens, emit)
    # The words of a treebank have spaces between them, texts that the model is evaluated on need not.
    evaluated = tokens.text_options(replace(texts.reading, split=spec.split))
    task = build_transformer_task(
        gpt2_shape(spec, len(tokens)), evaluated, corpora, spec, seed=spec.seed,
        facts={"text": asdict(texts.reading) | {"layout": spec.layout}, "vocabulary_from": source},
    )  # fmt: skip
    return replace(task, share=group.share), about_texts(spec, corpora[1])


def describe_tokens(spec: Gpt2Spec) -> dict[str, Any]:
    """Where tokens come from, as checkpoint.json records it; a training resumes only with the same ones."""
    name, file = spec.vocabulary, spec.tokenizer_file
    if file is None:
        if spec.end_symbol is not None:
            raise InputError(f"--end-symbol {spec.end_symbol}: it is chosen for a given tokenizer only, not for {name}")
        return {"kind": name, **(vocabulary_record(spec) if name == "words" else {"size": spec.vocabulary_size})}
    if not file.is_file():
        raise InputError(
            f"--vocabulary {name}: there is no such tokenizer; give bpe, words, a tokenizer.json, a folder with one, "
            "or a vocabulary.json of gardenpath"
        )
    return {"kind": "file", "digest": digest_file(file), "end": spec.end_symbol}


def require_words(texts: Texts) -> None:
    """Refuse a text of one word, from which sub-words could be learned; one of several is read no further."""
    seen: set[str] = set()
    for sentence in read_sentences(texts.training, texts.reading, workers=1):
        seen.update(sentence)
        if len(seen) > 1:
            return
    raise InputError(
        f"{texts.training} has no word but {next(iter(seen), '')!r}; a model can learn nothing from one word: name a "
        "larger corpus"
    )


def find_tokens(spec: Gpt2Spec, source: dict[str, Any], texts: Texts, emit: Emit, *, write: bool) -> TokenSet:
    """The tokens of a training; one that resumes has them already.

    `write`: whether to write them, which one of several processes does.
    """
    resumes = can_resume(spec.out)
    if resumes and (record := read_record(spec.out))["training"].get("vocabulary_from") == source:
        saved = TextOptions(**record["options"]["tokens"])
        return read_token_set(spec.out / token_file(saved.unit), texts.reading, end=saved.end)
    tokens = build_tokens(spec, texts, emit)
    # Where a training resumes with other tokens, the loop refuses; its own are kept.
    if write and not resumes:
        tokens.save(spec.out)
    return tokens


def build_tokens(spec: Gpt2Spec, texts: Texts, emit: Emit) -> TokenSet:
    """Learn the tokens of a text, or read them from a file."""
    corpus, how = texts.training, texts.reading
    match spec.vocabulary:
        case "words":
            counts = count_words(corpus, how, progress=reading(emit, corpus, "Counting the words of"))
            return TokenSet(vocabulary_of(counts, spec, lower=how.lower))
        case "bpe":
            assert spec.vocabulary_size is not None
            return build_subwords(corpus, how, spec.vocabulary_size, reading(emit, corpus, "Learning the sub-words of"))
        case name:
            return read_token_set(Path(name), how, end=spec.end_symbol)


UNITS = {"word": "words", "subword": "sub-words"}
"""How messages call the units of tokens."""


def read_token_texts(spec: Gpt2Spec, texts: Texts, tokens: TokenSet, emit: Emit) -> tuple[Corpus, Corpus]:
    """Both texts as ids of tokens."""
    assert texts.held_out is not None
    training, held_out = (
        tokens.encode(path, texts.reading, spec.out / CORPUS_FOLDER, progress=reading(emit, path, "Encoding"))
        for path in (texts.training, texts.held_out)
    )
    note = unseen_note(training.classes, held_out.classes, str(texts.held_out))
    if note and tokens.unit == "word":
        emit(Note(note))
    for path, text in ((texts.training, training), (texts.held_out, held_out)):
        detail = f", {len(text.ids) - text.sentences:,} {UNITS[tokens.unit]} (vocabulary of {len(tokens):,})"
        emit(CorpusRead(path, text.sentences, text.words, text.unknown, detail))
    return training, held_out
