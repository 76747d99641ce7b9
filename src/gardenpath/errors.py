"""What the user gave and what cannot be used: the two kinds of message every stage may raise."""


class InputError(ValueError):
    """Something the user named cannot be used; the message says what, where, which value, and what to do."""


class InputWarning(UserWarning):
    """Something the user named was used, but not quite as it stands."""
