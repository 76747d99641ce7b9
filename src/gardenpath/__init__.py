"""Targeted syntactic evaluation of language models."""

__version__ = "0.1.0"
