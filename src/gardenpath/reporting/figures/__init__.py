"""Figures for papers: `charts` draws tables, the other modules choose what to draw and write the captions."""
