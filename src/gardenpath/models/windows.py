"""How a text longer than a model's window is read: in overlapping windows, never cut."""


def windows(length: int, window: int | None) -> list[tuple[int, int, int]]:
    """(start, first token used, end) of overlapping windows; every token is used once, with half a window before it."""
    if window is None or length <= window:
        return [(0, 0, length)]
    stride = max(1, window // 2)
    spans = [(0, 0, window)]
    while spans[-1][2] < length:
        start, _, end = spans[-1]
        spans.append((start + stride, end, min(end + stride, length)))
    return spans
