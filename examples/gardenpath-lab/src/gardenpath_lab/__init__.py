"""A lab's own model, suites and file format, for gardenpath."""

from pathlib import Path

ITEMS = Path(__file__).parent / "items"
"""The folder of the suite collection `lab`: templates, or files in any format that gardenpath reads."""
