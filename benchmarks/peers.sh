#!/bin/sh
# Installs the tools we compare with into an environment of their own, .venv-peers (git-ignored).
# May be called again and again: an environment that already holds these versions is left as it is.
set -eu
cd "$(dirname "$0")/.."

if [ ! -x .venv-peers/bin/python ]; then
    python3 -m venv .venv-peers
fi
.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
    torch lm-eval==0.4.13 minicons==0.3.39
.venv-peers/bin/python -m pip list --disable-pip-version-check 2>/dev/null |
    grep -E '^(torch|transformers|lm_eval|minicons|accelerate) '
