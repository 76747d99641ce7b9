#!/bin/sh
# Install KenLM where its release does not build: `sh tools/kenlm.sh PYTHON`.
#
# The source on PyPI (0.3.0) holds C++ that Cython 0.29 generated, which Python 3.13 and newer cannot compile. It is
# generated again here, by a Cython of today. Needs a C++ compiler.
set -eu
python=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" -m pip install --quiet cython setuptools wheel "cmake>=3.10"
"$python" -m pip download --quiet --no-deps --no-binary kenlm --no-build-isolation --dest "$folder" kenlm==0.3.0
tar -xzf "$folder/kenlm-0.3.0.tar.gz" -C "$folder"
"$python" -m cython --cplus -3 "$folder/kenlm-0.3.0/python/kenlm.pyx" -o "$folder/kenlm-0.3.0/python/kenlm.cpp"
PATH="$(dirname "$python"):$PATH" "$python" -m pip install --quiet --no-build-isolation "$folder/kenlm-0.3.0"
