"""The specification of a study: materials, task, lists, what participants read and answer, exclusion rules."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, PlainSerializer, model_validator

from gardenpath.errors import InputError
from gardenpath.io.spec import Spec

Task = Literal["choice", "rating", "reading", "maze"]
"""choice: between the sentences of an item. rating: of one sentence. reading: self-paced, word by word or region by
region. maze: every word beside a distractor."""
Role = Literal["test", "filler", "catch", "practice"]
"""test: analysed. filler: shown, not analysed. catch: easy items, analysed too, whose errors exclude a participant.
practice: before the first trial."""
Assignment = Literal["split", "square", "all"]
"""split: an item is in one list only. square: every list has every item, in one condition (Latin square). all: every
list has every item; conditions rotate as in a square, whatever the number of lists."""

OrNone = Annotated[
    Annotated[int, Field(ge=0)] | None,
    BeforeValidator(lambda value: None if value == "none" else value),
    PlainSerializer(lambda value: "none" if value is None else value, when_used="json"),
]
"""A number or nothing, for which TOML has no value: it is written as "none"."""


class Materials(Spec):
    """Items of some suites, and how many of them a study uses."""

    suites: tuple[str, ...]
    """Built-in suites, collections, files or folders."""
    role: Role = "test"
    """`test`, `filler` (shown, not analysed), `catch` (easy items; their errors exclude participants), `practice`."""
    items: Annotated[int, Field(ge=1)] = 1
    """Items of each cell in the whole study, over all lists."""
    by: str = ""
    """A factor of the items, such as `key`, each of whose levels is a separate cell. Default: a suite is one cell."""
    cell: str = ""
    """Pool the suites: items of one level form one cell with this name. Default: each suite has its own cells."""
    conditions: tuple[str, ...] = ()
    """Choice: the conditions shown together, the acceptable one first. Other tasks: the conditions that lists rotate
    through. Default: for choice, those of the first comparison in the first prediction; for other tasks, all."""


class Check(Spec):
    """A trial that tells the participant what to answer."""

    right: str
    """Choice: the sentence to choose. Other tasks: the text shown."""
    wrong: str = ""
    """Choice: the sentence not to choose."""
    answer: int | None = None
    """Rating: the point of the scale to choose."""


class Question(Spec):
    """A question about the participant, asked before the trials or after them."""

    name: str
    """Name of the answer in the results."""
    text: str
    """The question as participants read it."""
    options: tuple[str, ...] = ()
    """Answers to choose from. Default: a line of text."""
    required: bool = True
    """Whether the participant must answer."""
    after: bool = False
    """Ask after the last trial instead of before the first."""


class Exclusions(Spec):
    """Rules for leaving out participants and trials, applied when results are analysed; all responses are kept."""

    incomplete: bool = True
    """Leave out participants who did not finish."""
    catch_errors: Annotated[int, Field(ge=0)] | None = None
    """Leave out participants with more errors than this on catch items."""
    failed_checks: OrNone = 0
    """Leave out participants who failed more checks than this; "none": ignore checks."""
    answers: Mapping[str, tuple[str, ...]] = {}
    """Leave out participants whose answer to a question is not one of these."""
    hidden_field: bool = True
    """Leave out participants who filled in the field that people cannot see."""
    question_accuracy: Annotated[float, Field(ge=0, le=1)] = 0.0
    """Leave out participants who answer a smaller share of comprehension questions, or maze words, correctly."""
    fastest_median: Annotated[float, Field(ge=0)] = 0.0
    """Leave out participants whose median response time, in ms, is shorter."""
    least_ms: Annotated[float, Field(ge=0)] = 0.0
    """Reading and maze: leave out shorter times."""
    most_ms: Annotated[float, Field(gt=0)] | None = None
    """Reading and maze: leave out longer times."""
    most_sd: Annotated[float, Field(gt=0)] | None = None
    """Reading and maze: leave out times more than this many standard deviations from the participant's mean log
    time."""
    first_word: bool = False
    """Maze and reading: leave out the first word of every sentence."""
    after_mistake: Annotated[int, Field(ge=0)] = 0
    """Maze: leave out this many words after a mistake."""


class Panel(Spec):
    """Where participants come from, and where they are sent back to."""

    id_parameter: str = "PROLIFIC_PID"
    """The parameter of the study's address that identifies a participant."""
    completion_url: str = ""
    """Where participants go at the end; `{code}` in it is replaced by the completion code."""
    code: str = ""
    """The completion code. Default: one made for every participant."""


class StudySpec(Spec):
    """A study: what participants see and do, and how results are analysed; the fields of study.toml.

    >>> spec = StudySpec(title="Agreement", materials=[Materials(suites=["agreement"], items=8)], lists=2)
    >>> spec.task, spec.assignment
    ('choice', 'split')
    """

    title: str
    """The title participants see."""
    task: Task = "choice"
    """`choice` between sentences, acceptability `rating`, self-paced `reading`, or `maze`."""
    materials: tuple[Materials, ...]
    """The suites, and how many items of each."""
    lists: Annotated[int, Field(ge=1)] = 1
    """Number of lists of trials; each participant gets one."""
    versions: Annotated[int, Field(ge=1, le=200)] = 4
    """Number of orders of every list; in every second one, the sides of all choices are swapped."""
    assignment: Assignment | None = None
    """`split` (an item is in one list only), `square` (Latin square over conditions) or `all`. Default: split for
    choices, else square."""
    target: Annotated[int, Field(ge=1)] = 10
    """Number of complete participants wanted for every list."""
    close_when_full: bool = False
    """Turn newcomers away while every list has its target, counting complete participants and those still answering."""
    seed: int = 0
    """Seed for the items drawn, the lists, orders and sides."""
    apart: Annotated[int, Field(ge=0)] = 1
    """Minimum number of other trials between two trials of one cell (rating, reading, maze: in the same condition),
    where possible; fillers may be anywhere."""
    fillers_between: bool = False
    """Whether to put a filler between any two test trials, if there are enough."""
    checks: tuple[Check, ...] = ()
    """Trials that tell the participant what to answer."""
    checks_per_list: Annotated[int, Field(ge=0)] = 1
    """Number of checks in each list, in rotation; never as its first trial."""
    sentence_case: bool = False
    """Show sentences with a capital and a full stop if the suite has none."""
    layout: Literal["stacked", "side-by-side"] = "stacked"
    """Choice: show sentences one above another (`stacked`) or next to each other."""
    points: Annotated[int, Field(ge=2, le=100)] = 7
    """Rating: points of the scale."""
    labels: tuple[str, str] = ("completely unacceptable", "completely acceptable")
    """Rating: labels of the lowest and the highest point."""
    window: Literal["word", "region"] = "word"
    """Reading: what one key press shows."""
    comprehension: Path | None = None
    """Reading: a table of comprehension questions: suite, item, question, right, wrong; and condition, if the question
    depends on it."""
    distractors: Path | None = None
    """Maze: a table of distractors: suite, item, condition, distractors (one for each word after the first, separated
    by spaces). Default: drawn from the lexicon."""
    distractor_model: str = "smollm2"
    """Maze: the model used to check that drawn distractors do not continue the sentence."""
    language: str = "en"
    """Language of the page, as an HTML language code."""
    direction: Literal["ltr", "rtl"] = "ltr"
    """The direction of writing."""
    consent: str = ""
    """What participants agree to before anything else; a blank line begins a paragraph. Default: no consent page."""
    instructions: str = ""
    """What participants read before the trials. Default: a text for the task."""
    prompt: str = ""
    """The question above every trial. Default: one for the task."""
    thanks: str = "Thank you. Your answers have been saved."
    """What participants read at the end."""
    phrases: Mapping[str, str] = {}
    """Words of the page in another language, keyed by the English ones (`Continue`, `Practice`, …)."""
    questions: tuple[Question, ...] = ()
    """Questions about the participant."""
    break_every: Annotated[int, Field(ge=0)] = 0
    """Offer a break after this many trials; 0: none."""
    panel: Panel = Panel()
    """Where participants come from."""
    resume_minutes: Annotated[int, Field(ge=1)] = 60
    """Minutes within which a participant may resume after a reload or a lost connection."""
    exclusions: Exclusions = Exclusions()
    """Who and what is left out of the analysis."""

    @model_validator(mode="after")
    def choose_assignment(self) -> Self:
        """Take the default assignment of the task; refuse a Latin square of choices, which show all conditions."""
        if self.assignment is None:
            self.__dict__["assignment"] = "split" if self.task == "choice" else "square"
        if self.task == "choice" and self.assignment == "square":
            raise InputError("a choice shows all conditions of an item; assignment must be 'split' or 'all'")
        return self

    @model_validator(mode="after")
    def require_test_items(self) -> Self:
        """Refuse a study without test items."""
        if not any(one.role == "test" for one in self.materials):
            raise InputError("no materials with the role 'test'; a study needs at least one suite to test")
        return self
