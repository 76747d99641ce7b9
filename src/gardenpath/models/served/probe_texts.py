"""The texts by which a server is tried when it is loaded."""

PROBE_TEXTS = (
    "The keys to the cabinet are on the table.",
    "My sister, who lives in Naples, bought two old bicycles.",
    "The keys to the cabinet is on the table.",
    "A café near the station opens at six.",
    "Nobody has ever seen the dogs that the farmer feeds.",
    "When the rain stopped, the children went outside and played until it was dark.",
    "She gave him a book.",
    "Seven days make a week, and twelve months make a year.",
)
"""Sentences of several lengths; two have a common beginning, the first two none; one has a letter of two bytes."""
