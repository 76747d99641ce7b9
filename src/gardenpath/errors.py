"""Errors and warnings about what a user gave, which every stage may raise."""


class InputError(ValueError):
    """Input that cannot be used; the message says what, where, which value, and what to do.

    >>> raise InputError("sample is 0; it must be at least 1")
    Traceback (most recent call last):
    gardenpath.errors.InputError: sample is 0; it must be at least 1
    """


class SentenceError(InputError):
    """One of several sentences cannot be used; the caller adds where it came from."""

    def __init__(self, what: str, number: int) -> None:
        super().__init__(what)
        self.number = number
        """Its index among the sentences, from 0."""


class InputWarning(UserWarning):
    """What a user gave was used, but not quite as it stands."""


class QuirkWarning(InputWarning):
    """An irregularity of published files that is read as it should be, about which a user need do nothing."""
