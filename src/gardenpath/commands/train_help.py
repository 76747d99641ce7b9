"""The help of `gardenpath train`, by architecture."""

RESUMES = "To resume an interrupted or killed training run where it stopped, give the same command again."
TEXTS = "--corpus train.txt --valid valid.txt"
SUPERTAGS = f"{TEXTS} --supertags ccg.txt --valid-supertags ccg-valid.txt"
HELP = {
    "ngram": f"""Estimate an n-gram model (interpolated modified Kneser-Ney); DIR also contains it as model.arpa.

    Examples:

        gardenpath train ngram {TEXTS} --out models/5gram

        gardenpath train ngram --corpus tokenised.txt --min-count 1 --no-tokenize --out models/as-lmplz

        gardenpath train ngram {TEXTS} --out curve --sizes 125k,250k,500k --samples 5
    """,
    "lstm": f"""Train an LSTM language model on a text.

    {RESUMES}

    Examples:

        gardenpath train lstm {TEXTS} --out models/lstm

        gardenpath train lstm {TEXTS} --out models/ml --preset marvin-linzen

        gardenpath train lstm {TEXTS} --out curve --sizes 125k,250k,500k --samples 5

        gardenpath train lstm --corpus train.mrg --valid valid.mrg --layout trees --reading sentences --out models/twin
    """,
    "gpt2": f"""Train a GPT-2 from scratch on a text.

    {RESUMES}

    Examples:

        gardenpath train gpt2 {TEXTS} --out models/gpt2 --budget 60minutes

        gardenpath train gpt2 {TEXTS} --out models/words --vocabulary words

        gardenpath train gpt2 {TEXTS} --out models/hu --preset hu --vocabulary gpt2/
    """,
    "multitask": f"""Train an LSTM language model that learns supertags as well (Marvin & Linzen 2018, section 5).

    Every update adds the loss of a batch of text and that of a batch of tagged sentences. With `--weight 0`, the model
    learns from the text only, as with `train lstm` and the same options, for comparison.

    Examples:

        gardenpath train multitask {SUPERTAGS} --out models/multitask

        gardenpath train multitask {SUPERTAGS} --out models/twin --weight 0

        gardenpath train multitask {TEXTS} --supertags AUTO --supertag-sections 2-21 --valid-supertags AUTO/00 --out ccg
    """,
    "on-lstm": f"""Train an ON-LSTM (Shen et al. 2019) on a text; `gardenpath parse` shows the trees it finds.

    {RESUMES}

    Example: gardenpath train on-lstm {TEXTS} --out models/on-lstm
    """,
    "rnng": f"""Train an RNNG (Dyer et al. 2016) on a treebank; `gardenpath parse` shows the trees it finds.

    Training prints the joint perplexity of held-out trees and words; `gardenpath perplexity` prints that of the words
    alone, summed over trees by beam search. Held-out trees with labels that do not occur in training are left out, with
    a note. To train a twin that sees only the words, use `train lstm --layout trees` on the same files.

    {RESUMES}

    Examples:

        gardenpath train rnng --treebank train.mrg --valid valid.mrg --out models/rnng

        gardenpath train rnng --treebank wsj --sections 2-21 --valid wsj/22 --out models/wsj

        gardenpath train rnng --treebank train.mrg --valid valid.mrg --out curve --sizes 125k,250k --samples 5
    """,
}
"""The help of the command of each architecture."""
