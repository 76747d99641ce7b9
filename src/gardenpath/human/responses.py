"""Responses of participants: one typed table, whatever tool collected them, and the folder that holds it."""

import polars

Columns = dict[str, polars.DataType | type[polars.DataType]]
RESPONSES: Columns = {
    "participant": polars.String,
    "session": polars.String,  # one visit of a participant to one list (an assignment of MTurk)
    "list": polars.String,
    "version": polars.String,  # the order of the list; empty where unknown
    "trial": polars.Int64,  # from 1, in the order of presentation
    "role": polars.String,  # test, filler, catch, check, practice
    "task": polars.String,  # choice, rating, reading, maze, question (on comprehension)
    "suite": polars.String,
    "item": polars.String,
    "cell": polars.String,  # the condition of the study: a suite, or a suite and level
    "condition": polars.String,  # the condition shown; null for a choice
    "order": polars.List(polars.String),  # choice: the conditions in the order shown; null otherwise
    "choice": polars.String,  # choice: the condition chosen; question: the answer; null otherwise
    "correct": polars.Boolean,  # choice, question, check, maze word; null where nothing is right or wrong
    "rating": polars.Float64,
    "word": polars.Int64,  # reading and maze: index of the word or region from 1; null otherwise
    "region": polars.String,  # reading and maze: the region in which the word begins
    "text": polars.String,  # reading and maze: the word
    "rt": polars.Float64,  # milliseconds
    "time": polars.Datetime("ms", "UTC"),  # when it was stored
}
"""The columns of responses.parquet: a row per answer; of reading and maze, a row per word."""
SESSIONS: Columns = {
    "participant": polars.String,
    "session": polars.String,
    "list": polars.String,
    "version": polars.String,
    "status": polars.String,  # complete, active, expired, rejected (by the researcher)
    "started": polars.Datetime("ms", "UTC"),
    "ended": polars.Datetime("ms", "UTC"),
    "seconds": polars.Float64,
    "hidden_field": polars.Boolean,  # whether the field that people cannot see was filled in
    "lost_focus": polars.Int64,  # how often the page lost the focus
    "answers": polars.String,  # answers to questions about the participant, as a JSON object
    "made_with": polars.String,  # version of gardenpath and digest of the materials
}
"""The columns of sessions.parquet: a row per visit of a participant."""
