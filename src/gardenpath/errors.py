"""What the user gave and what cannot be used: the kinds of message every stage may raise."""


class InputError(ValueError):
    """Something the user named cannot be used; the message says what, where, which value, and what to do.

    >>> raise InputError("sample is 0; it must be at least 1")
    Traceback (most recent call last):
    gardenpath.errors.InputError: sample is 0; it must be at least 1
    """


class SentenceError(InputError):
    """One of several sentences cannot be used; who gave them says which it is and where it came from."""

    def __init__(self, what: str, number: int) -> None:
        super().__init__(what)
        self.number = number
        """Its place among those given, from 0."""


class InputWarning(UserWarning):
    """Something the user named was used, but not quite as it stands."""
