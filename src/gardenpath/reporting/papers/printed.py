"""Numbers that the papers print beside accuracies; those are packaged with the suites (`suites.published`)."""

from gardenpath.statistics.published import CORPUS_WORDS
from gardenpath.statistics.regression import LOG_WORDS

# --- Hu et al. 2020 -------------------------------------------------------------------------------------------------

CORPORA = ("BLLIP-XS", "BLLIP-SM", "BLLIP-MD", "BLLIP-LG")
CORPUS_SIZES = {
    "sentences": (40_000, 200_000, 600_000, 1_800_000),
    "tokens": tuple(CORPUS_WORDS.values()),
    "non-UNK types": (24_000, 57_000, 100_000, 170_000),
    "UNK types": (68, 70, 71, 74),
}
"""Table 1."""
MODEL_SIZES = {"LSTM": (2, 256, 256), "ON-LSTM": (3, 1150, 400), "RNNG": (2, 256, 256), "GPT-2": (12, 768, 768)}
"""Table 2: layers, hidden units, embedding."""
PARAMETERS = {
    "LSTM": (13.4e6, 30.5e6, 52.2e6, 88.1e6),
    "ON-LSTM": (30.8e6, 44.2e6, 61.2e6, 89.2e6),
    "RNNG": (22.8e6, 48.4e6, 81.1e6, 134.9e6),
    "GPT-2": (124.4e6, 124.4e6, 124.4e6, 124.4e6),
}
"""Table 3."""
AIC_WITHOUT = {LOG_WORDS: -581, "architecture": -574, f"{LOG_WORDS}:circuit": -654, "architecture:circuit": -623}
"""Sections 4.2 and 4.3: the AIC of the regression without the term."""

# --- Warstadt et al. 2020 -------------------------------------------------------------------------------------------

PARADIGMS = {
    "Anaphor agreement": 2, "Argument structure": 9, "Binding": 7, "Control/raising": 5,
    "Determiner-noun agreement": 8, "Ellipsis": 2, "Filler-gap dependencies": 7, "Irregular forms": 2,
    "Island effects": 8, "NPI licensing": 7, "Quantifiers": 4, "Subject-verb agreement": 6,
}  # fmt: skip
"""Table 1."""
CORRELATIONS = {
    ("people", "GPT-2"): 0.54, ("people", "Transformer-XL"): 0.48, ("people", "LSTM"): 0.49, ("people", "5-gram"): 0.34,
    ("GPT-2", "Transformer-XL"): 0.68, ("GPT-2", "LSTM"): 0.63, ("GPT-2", "5-gram"): 0.39,
    ("Transformer-XL", "LSTM"): 0.90, ("Transformer-XL", "5-gram"): 0.58, ("LSTM", "5-gram"): 0.59,
}  # fmt: skip
"""Table 4."""
SLOPES = {
    "Anaphor agreement": 0.0623, "Determiner-noun agreement": 0.0426, "Subject-verb agreement": 0.041,
    "Irregular forms": 0.039, "Ellipsis": 0.0389, "Binding": 0.016, "Argument structure": 0.015,
    "Filler-gap dependencies": 0.0095, "NPI licensing": 0.0078, "Island effects": 0.0036,
}  # fmt: skip
"""Section 6.3; those of quantifiers and of control and raising are not printed."""
LSTM_PERPLEXITIES = {125_000: 595.0, 1_000_000: 212.0, 8_000_000: 92.8, 64_000_000: 53.0}
"""Footnote 12, by training tokens."""

# --- Hu, Chen & Levy 2020 -------------------------------------------------------------------------------------------

MODELS = {
    "BERT": ("Transformer", "BooksCorpus, Wikipedia", "3.3B", "30K", "–", "–", "–"),
    "TransXL": ("Transformer", "WikiText-103", "103M", "267K", "9K", "20K", "5K"),
    "JRNN": ("LSTM", "1B Word Benchmark", "1B", "800K", "103K", "124K", "34K"),
    "GRNN": ("LSTM", "Wikipedia", "90M", "50K", "10K", "17K", "4K"),
    "TinyLSTM": ("LSTM", "PTB §2-21 (terminals)", "950K", "23K", "114", "95", "12"),
    "RNNG": ("RNNG", "PTB §2-21 (trees)", "950K", "23K", "114", "95", "12"),
    "5-gram": ("n-gram", "Wikipedia", "90M", "50K", "10K", "17K", "4K"),
}
"""Table 2: architecture, training data, tokens, vocabulary; themselves, himself, herself."""
HALF_WIDTHS = {
    "1a": {"BERT": 0.057, "TransXL": 0.059, "JRNN": 0.067, "GRNN": 0.062},
    "2a": {"BERT": 0.067, "TransXL": 0.067, "JRNN": 0.068, "GRNN": 0.073, "TinyLSTM": 0.053, "RNNG": 0.062},
    "1b": {"BERT": 0.029, "TransXL": 0.038, "JRNN": 0.026, "GRNN": 0.0},
    "2b": {"BERT": 0.022, "TransXL": 0.039, "JRNN": 0.026, "GRNN": 0.013, "TinyLSTM": 0.057, "RNNG": 0.047},
    "3": {"BERT": 0.008, "TransXL": 0.067, "JRNN": 0.063, "GRNN": 0.063, "TinyLSTM": 0.072, "RNNG": 0.071},
}
"""Table 3, by experiment: half of each 95 % interval; the 5-gram and the rows of others have none."""

# --- Marvin & Linzen 2018 -------------------------------------------------------------------------------------------

SENTENCES = {
    "simple_agrmt": 280, "sent_comp": 3360, "vp_coord": 1680, "long_vp_coord": 800, "prep": 44800, "subj_rel": 22400,
    "obj_rel_across": 44800, "obj_rel_no_comp_across": 44800, "obj_rel_within": 44800, "obj_rel_no_comp_within": 44800,
    "simple_reflexives": 560, "reflexive_sent_comp": 6720, "reflexives_across": 44800, "simple_npi": 792,
    "npi_across": 31680,
}  # fmt: skip
"""Table 1: sentences, two of each pair and three of each item with a negative polarity item."""
PERPLEXITIES = {"5-gram": 157.5, "single-task LSTM": 78.65, "multi-task LSTM": 61.10}
"""Section 6, on test data from Wikipedia."""
PRONOUNS = {"himself": 1.00, "herself": 0.49, "themselves": 1.00}
"""Section 6: the multi-task LSTM on simple reflexives."""
VERBS = {"is": 1.00, "are": 1.00, "swims": 0.60}
"""Section 6: the single-task LSTM on simple agreement, by the verb of the grammatical sentence."""
