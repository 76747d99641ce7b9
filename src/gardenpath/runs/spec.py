"""The specification of a run: which models score which suites, and every choice on the way to the numbers."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias, TypedDict, get_args

from pydantic import Field, field_validator, model_validator

from gardenpath.errors import InputError
from gardenpath.io.choices import Case, Detail, First, Normalisation, Stop, Ties, WordBoundary
from gardenpath.io.spec import Flag, Overwrite, Spec
from gardenpath.models.placement import Dtype
from gardenpath.models.pretrained.masking import Masking
from gardenpath.models.published.conventions import Convention
from gardenpath.models.trained.rnng.options import DEFAULT_BEAM, parse_beam
from gardenpath.runs.protocols import PROTOCOLS, ProtocolName, conflicting_options
from gardenpath.runs.shard import Shard

if TYPE_CHECKING:  # numpy, which the command line does not need for its options
    from gardenpath.models.protocol import AnyModel, SavedModel
    from gardenpath.scoring.score import ScoreOptions
    from gardenpath.suites.suite import Suite

Join = Literal["natural", "space"]
Special = Literal["text", "symbols"]
"""How a special symbol that is written inside a text is read: its characters, or the symbol itself."""
UnknownWords = Literal["keep", "leave-out"]


class RunSpec(Spec):
    """The specification of a run; `gardenpath.run` takes the same names as keyword arguments.

    >>> RunSpec(models=["smollm2"], suites=["agreement"], sample=10).sample
    10
    """

    models: Annotated[tuple[str, ...], Field(min_length=1), Flag("--model", "-m")] = ("smollm2",)
    """A model, or LABEL=MODEL to give it a label in results; may be repeated. See `gardenpath models list`. A pattern
    of paths stands for all matching models, in order of training: 'hf:ckpts/chck_*' (in quotes)."""
    trained: Annotated[tuple[str, ...], Flag("--trained", metavar="MODEL=ARCHITECTURE,WORDS[,CORPUS]", added=True)] = ()
    """How a model from elsewhere was trained, by its label or name: `big=5-gram,42M`; may be repeated. Results are
    compared by architecture and training size, which are known for models trained here."""
    suites: Annotated[tuple[str, ...], Flag("--suite", "-s")] = ()
    """A built-in suite or collection, a file or a folder; may be repeated. Default: agreement and nine others."""
    sample: Annotated[int, Field(ge=1)] | None = None
    """At most this many items per suite (and factor level)."""
    by: Annotated[str | None, Flag(view=True, joined=True)] = None
    """Pool suites by `phenomenon`, `circuit` or `field` (of blimp), or break each one down by a factor of its items,
    such as `key` for Marvin & Linzen, or by several: `number,attractor`. `gardenpath table` does the same for finished
    runs."""
    seed: int = 0
    """Seed for the sample, and for suites whose items are drawn at random (blimp)."""
    lexicon: str = ""
    """Words for suites whose items are drawn at random (blimp): `core`, as in the published sentences, or `full`, a
    larger set. Default: the suite's own."""
    vocabulary: Annotated[Path | None, Flag(metavar="FILE", added=True)] = None
    """Fill the slots of suites only with known words: those in a file (one per line, optionally with a count), in a
    vocabulary.json, or in the folder of a trained model. See docs/known_words.md."""
    out: Annotated[Path | None, Flag("--out", "-o", changes_results=False)] = None
    """Folder for the results. Default: runs/DATE-TIME on the command line; in Python, results stay in memory."""
    overwrite: Overwrite = False
    protocol: ProtocolName | None = None
    """Score as a paper did: sets join, case, stop, bos, first, end, end-region, ties, normalise, word-boundary, and for
    some papers masking and beam (docs/protocols.md). Any of these options that you also give must have the protocol's
    value."""
    bos: Annotated[tuple[str, ...] | str, Flag(metavar="[MODEL=]SYMBOL")] = "default"
    """The symbol read before every sentence: `default`, `none`, or a symbol of the model. MODEL=SYMBOL, with the name
    or label of a model, applies to that model only: `--bos none --bos 'big=<s>'`; may be repeated."""
    special: Special = "text"
    """How to read special symbols inside a text, such as <|endoftext|>: as their characters (`text`) or as the
    `symbols`."""
    masking: Masking = "within-word"
    """What masked models hide along with a token: the rest of its word (Kauf & Ivanova 2023), the whole word, nothing,
    or everything up to the next space."""
    revision: Annotated[str | None, Flag(added=True)] = None
    """Revision (branch, tag or commit) of every hf: and mlm: model from the hub whose name has none; the same as
    NAME@REVISION. A pattern such as `step*` or `{step0,step1000}` stands for all revisions that match, in order of
    training."""
    beam: str = DEFAULT_BEAM
    """RNNG: number of parses kept between two words, and after each word; `all/all`: no limit, for toy grammars."""
    conventions: Annotated[tuple[Convention, ...], Flag("--convention", added=True)] = ()
    """How to read published models other than as released; may be repeated. `lm-zoo`: all choices of LM Zoo. txl:
    `empty-memory`, `treebank-words`. jrnn: `spelled-symbols`, `unknown-first`, `words-only`."""
    prefix: Annotated[str, Flag(added=True)] = ""
    """Text for the encoder of an s2s: model, whose decoder is scored. With `score`, other models read it before every
    sentence, and only the sentence is scored."""
    device: Annotated[str, Flag(changes_results=False)] = "auto"
    """Where pretrained models compute: auto, cpu, cuda, cuda:1 …, or split (over all GPUs and the CPU's memory). For
    `score` in a script under torchrun: parallel, which divides every matrix among the processes."""
    dtype: Dtype = "float32"
    """Precision of pretrained models; bfloat16 and float16 are for GPUs, and less exact."""
    join: Join = "natural"
    """How regions are joined. `natural`: no space before closing punctuation. `space`: always a space, as in
    SyntaxGym."""
    case: Case = "as-is"
    """`lower`: convert all sentences to lower case."""
    stop: Stop = "as-is"
    """`apart`: put a space before the full stop at the end, and add a full stop if a sentence has none."""
    columns: Annotated[str | None, Flag(metavar="good=COLUMN,bad=COLUMN", joined=True)] = None
    """Columns of the sentences in files of pairs; `bad` may be repeated, `id` and `suite` may be added. `factor=COLUMN`
    names a factor in any table, `region=COLUMN` a region in a table of regions; `ignore=COLUMN` leaves a column out.
    All three may be repeated, after a comma or in another `--columns`."""
    predictions: Annotated[tuple[str, ...], Flag("--prediction", metavar="NAME|FORMULA", added=True)] = ()
    """Only predictions of this name, such as `full-sentence`; or a formula for suites whose files have no predictions,
    such as tables of regions: "(verb, match) < (verb, mismatch)", or NAME=FORMULA. If all files have predictions, the
    formula is added to each. May be repeated. See docs/suites.md.
    """
    end: bool = False
    """Also score the end of the sentence; it belongs to no region, unless `end_region` adds it to the last one."""
    end_region: bool = False
    """With `end`: count the end in the last region too, as in SyntaxGym."""
    first: First = "missing"
    """Bits of the first token if no symbol is read before it: missing, or `zero`, as in LM Zoo."""
    word_boundary: WordBoundary = "none"
    """`corrected`: a word's surprisal includes its own end (Pimentel & Meister 2024)."""
    normalise: Normalisation = "none"
    """Divide the bits of whole sentences by their length."""
    ties: Ties = "share"
    """`share`: credit ties by chance, including differences below the model's rounding. The others count exact ties
    only: `wrong` gives no credit, `all` gives credit by chance if all comparisons of an item tie."""
    unigrams: Path | None = None
    """A text in which to count token frequencies, for SLOR."""
    unknown: UnknownWords = "keep"
    """Keep items with unknown words, or leave them out."""
    details: Annotated[tuple[Detail, ...], Flag("--detail", added=True)] = ()
    """Further details of every token in tokens.parquet; may be repeated. `entropy` of the distribution it is drawn
    from, its `rank` there, the most likely tokens (`top`), its bits after each layer of a transformer (`layers`)."""
    top: Annotated[int, Field(ge=1, le=1000), Flag(added=True)] = 5
    """Number of tokens that the detail `top` lists."""
    memory: Annotated[int, Field(ge=1)] = 256
    """Megabytes for the model's states, such as 4096, used instead of a batch size; lower it if memory is short."""
    store: Annotated[Path | None, Flag("--store", changes_results=False)] = None
    """File that stores scores for later runs. Default: in the user's cache folder."""
    shard: Annotated[str | None, Flag(metavar="I/N", changes_results=False)] = None
    """Compute only one of N shards of the run, such as 3/7, into its own folder; `gardenpath join` joins them into the
    run."""

    @field_validator("models", "trained", "suites", "details", "predictions", mode="before")
    @classmethod
    def as_names(cls, value: Any) -> Any:
        """Turn a single name or path into a list of one."""
        several = [value] if isinstance(value, str | os.PathLike) else value
        if not isinstance(several, Sequence):
            return several
        return tuple(os.fspath(one) if isinstance(one, os.PathLike) else one for one in several)

    @field_validator("by", "columns", mode="before")
    @classmethod
    def as_one_text(cls, value: Any) -> Any:
        """Join several factors, or several columns, by commas."""
        return ",".join(map(str, value)) or None if isinstance(value, list | tuple) else value

    @field_validator("predictions", mode="before")
    @classmethod
    def as_formulas(cls, value: Any) -> Any:
        """Turn formulas by name into NAME=FORMULA."""
        return tuple(f"{name}={formula}" for name, formula in value.items()) if isinstance(value, Mapping) else value

    @field_validator("bos", mode="before")
    @classmethod
    def as_first_symbols(cls, value: Any) -> Any:
        """Turn symbols by model into MODEL=SYMBOL; a list of one is its entry, an empty one the default."""
        if isinstance(value, Mapping):
            value = [f"{model}={symbol}" for model, symbol in value.items()]
        if isinstance(value, list | tuple) and len(value) < 2:
            return value[0] if value else "default"
        return value

    @field_validator("beam")
    @classmethod
    def require_beam(cls, beam: str) -> str:
        """Refuse a beam that cannot be read."""
        parse_beam(beam)
        return beam

    @field_validator("shard")
    @classmethod
    def require_shard(cls, shard: str | None) -> str | None:
        """Refuse a shard that cannot be read."""
        return None if shard is None else str(Shard.parse(shard))

    @model_validator(mode="after")
    def require_trained_models(self) -> Self:
        """Refuse what is known of a model that is not among those of the run."""
        if self.trained:
            from gardenpath.runs.known_training import require_known

            require_known(self.trained, self.models)
        return self

    @model_validator(mode="after")
    def require_own_files(self) -> Self:
        """Refuse a store beside a shard."""
        if self.shard is not None and self.store is not None:
            raise InputError(
                "a shard neither reads nor writes a store, which processes of several machines cannot share; leave out "
                "--store: what a shard computes is kept in its own folder"
            )
        return self

    @model_validator(mode="after")
    def require_unigrams(self) -> Self:
        """Refuse SLOR without token frequencies."""
        if self.normalise == "slor" and self.unigrams is None:
            raise InputError("SLOR needs the frequencies of tokens; name a text to count them in with --unigrams")
        return self

    @model_validator(mode="after")
    def require_end(self) -> Self:
        """Refuse an end that would count in the last region, but is not scored."""
        if self.protocol is None and self.end_region and not self.end:
            raise InputError("--end-region counts the end of a sentence, which is not scored; give --end too")
        return self

    @model_validator(mode="after")
    def take_protocol(self) -> Self:
        """Take the values of the protocol; refuse options given beside it that differ."""
        if self.protocol is None:
            return self
        given = {name: getattr(self, name) for name in sorted(self.model_fields_set)}
        if conflicts := conflicting_options(self.protocol, given):
            raise InputError(
                f"options contradict the protocol {self.protocol!r}: {'; '.join(conflicts)}. Leave these options out, "
                "or the protocol"
            )
        # Not among the fields that were set: a specification made from this one may name another protocol.
        self.__dict__.update(PROTOCOLS[self.protocol].options)
        return self

    def for_kind(self, kind: str) -> Self:
        """The specification for models of a kind, which a protocol may score in a way of their own."""
        values = {} if self.protocol is None else PROTOCOLS[self.protocol].values_for(kind)
        return self.model_copy(update=values)

    @property
    def scoring(self) -> "ScoreOptions":
        """How texts are scored."""
        from gardenpath.models.details import Details
        from gardenpath.scoring.score import ScoreOptions

        details = Details(tuple(kind for kind in get_args(Detail) if kind in self.details), self.top)
        return ScoreOptions(
            self.end, self.first, self.word_boundary, memory=self.memory << 20, details=details
        )  # fmt: skip


ModelChoice: TypeAlias = "str | os.PathLike[str] | AnyModel | SavedModel"
SuiteChoice: TypeAlias = "str | os.PathLike[str] | Suite"


class ScoreFields(TypedDict, total=False):
    """The fields of `RunSpec` that `score` takes, as keyword arguments."""

    bos: str | Sequence[str] | Mapping[str, str]
    special: Special
    masking: Masking
    revision: str | None
    beam: str
    conventions: tuple[Convention, ...]
    prefix: str | Sequence[str]
    device: str
    dtype: Dtype
    end: bool
    first: First
    word_boundary: WordBoundary
    details: tuple[Detail, ...]
    top: int
    memory: int


class RunFields(ScoreFields, total=False):
    """All fields of `RunSpec` as keyword arguments; models and suites may also be objects."""

    models: "ModelChoice | Sequence[ModelChoice]"
    trained: tuple[str, ...]
    suites: "SuiteChoice | Sequence[SuiteChoice]"
    sample: int | None
    by: str | None
    seed: int
    lexicon: str
    vocabulary: str | Path | None
    out: str | Path | None
    overwrite: bool
    protocol: ProtocolName | None
    join: Join
    case: Case
    stop: Stop
    columns: str | Sequence[str] | None
    predictions: str | Sequence[str] | Mapping[str, str]
    end_region: bool
    normalise: Normalisation
    ties: Ties
    unigrams: str | Path | None
    unknown: UnknownWords
    store: str | Path | None
    shard: str | None
