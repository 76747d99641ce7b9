"""All targets."""

from fuzzing.language_targets import LANGUAGE_TARGETS
from fuzzing.older_targets import OLDER_TARGETS
from fuzzing.other_targets import OTHER_TARGETS
from fuzzing.own_targets import OWN_TARGETS
from fuzzing.published_targets import PUBLISHED_TARGETS
from fuzzing.response_targets import RESPONSE_TARGETS
from fuzzing.text_targets import TEXT_TARGETS

TARGETS = (
    *TEXT_TARGETS, *LANGUAGE_TARGETS, *OWN_TARGETS, *OLDER_TARGETS, *OTHER_TARGETS, *PUBLISHED_TARGETS,
    *RESPONSE_TARGETS,
)  # fmt: skip
