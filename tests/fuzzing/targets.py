"""All targets."""

from fuzzing.own_targets import OWN_TARGETS
from fuzzing.text_targets import TEXT_TARGETS

TARGETS = (*TEXT_TARGETS, *OWN_TARGETS)
