"""What the participant's page sends, with limits, and how a request is refused."""

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from gardenpath.human.answers import Message

Token = Annotated[str, StringConstraints(min_length=1, max_length=100)]
Text = Annotated[str, StringConstraints(max_length=2000)]


class StartRequest(Message):
    """A participant opens the page, for the first time or again."""

    panel_id: Annotated[str, StringConstraints(max_length=200)] | None = None
    list: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    token: Token | None = None


class AnswerRequest(Message):
    """The answer to one trial."""

    token: Token
    key: Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z_-]{8,64}$")]
    """Made by the page for this trial, the same whenever the answer is sent again."""
    trial: Annotated[int, Field(ge=0, le=1_000_000)]
    answer: dict[str, Any]
    lost_focus: Annotated[int, Field(ge=0, le=100_000)] = 0


class QuestionsRequest(Message):
    """The answers to the questions about the participant."""

    token: Token
    when: Literal["before", "after"]
    answers: Annotated[dict[Annotated[str, StringConstraints(max_length=200)], Text], Field(max_length=200)]
    hidden: Text = ""
    """What is in the field that people cannot see."""


class FinishRequest(Message):
    """A participant is done."""

    token: Token


class RefusedError(Exception):
    """A request that is refused: the HTTP status, a sentence for the participant, and the next trial if it helps."""

    def __init__(self, status: int, message: str, *, next_trial: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.next_trial = next_trial

    def body(self) -> dict[str, Any]:
        """The answer as JSON."""
        return {"error": self.message} | ({} if self.next_trial is None else {"next": self.next_trial})
