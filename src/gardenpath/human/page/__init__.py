"""The page participants see: its HTML, its scripts and its style sheet, without any outside address."""
