"""Overlapping windows over a text that is longer than a model can read at once."""


def overlapping_windows(length: int, window: int | None) -> list[tuple[int, int, int]]:
    """Return (start, first token used, end) of windows; every token is used once, with half a window before it."""
    if window is None or length <= window:
        return [(0, 0, length)]
    stride = max(1, window // 2)
    ends = range(window, length, stride)
    return [(0, 0, window), *((end - window + stride, end, min(end + stride, length)) for end in ends)]
