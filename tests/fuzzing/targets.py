"""All targets."""

from fuzzing.text_targets import TEXT_TARGETS

TARGETS = TEXT_TARGETS
