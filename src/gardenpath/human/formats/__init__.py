"""Responses collected by other tools: one module per format, and `read` that chooses."""
