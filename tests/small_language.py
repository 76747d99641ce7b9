"""A language of a few words, of which everything can be worked out by hand."""

from collections.abc import Callable
from pathlib import Path

LANGUAGE = """
[categories.noun]
file = "nouns.tsv"
features = "nouns"
forms = ["sing", "plur"]
numbers = ["sing", "plur"]
differ = { inflects = ["sing", "plur"] }

[categories.verb]
file = "verbs.tsv"
features = "verbs"
forms = ["base", "present.sing", "past"]
aliases = { "present.plur" = "base" }
arguments = ["subject", "object"]
frames = "frames"
extra = ["preposition"]

[categories.function-word]
file = "words.tsv"
features = "words"
forms = ["sing", "plur"]
arguments = ["of"]

[rules]
"verb & transitive" = "with-object"

[spelling.noun.plur]
from = "sing"
rules = [["(s|x)$", '\\1es'], ["$", "s"]]
"""

FEATURES = """
[nouns]
person = { implies = ["animate"], means = "people" }
animal = { implies = ["animate"], means = "animals" }
animate = { means = "living" }
thing = { means = "not living" }
irregular = { means = "not by rule" }
vowel = { means = "takes an" }
[verbs]
transitive = { means = "with an object" }
intransitive = { means = "without one" }
[words]
definite = { means = "the" }
silent = { means = "not said" }
"""

NOUNS = """sing\tplur\tfeatures
man\tmen\tperson irregular
clerk\tclerks\tperson
dog\tdogs\tanimal
sheep\tsheep\tanimal irregular
box\tboxes\tthing
hour\thours\tthing vowel
milk\t-\tthing
"""

VERBS = """base\tpresent.sing\tpast\tframes\tfeatures\tsubject\tobject\tpreposition
see\tsees\tsaw\ttransitive\t\tanimate\tperson | thing\t
carry\tcarries\tcarried\ttransitive\t\tperson\tthing\t
bark\tbarks\tbarked\tintransitive\t\tanimal\t\t
"""

WORDS = """category\tsing\tplur\tfeatures\tof\tgoverns\tweight
determiner\tthe\tthe\tdefinite\t\t\t3
determiner\ta(n)\t-\t\tsing\t\t1
auxiliary\t\t\tsilent\tverb\tpast\t1
auxiliary\t\t\tsilent\tverb\tpresent\t1
"""

PHRASES = """
[NP]
slots = { determiner = "determiner & takes(head)" }
text = "{determiner:head} {head}"

[finite]
slots = { aux = "auxiliary & takes(head)" }
forms = { sing = "{aux:sing} {head:aux.sing}", plur = "{aux:plur} {head:aux.plur}" }
"""

FILES = {
    "language.toml": LANGUAGE,
    "features.toml": FEATURES,
    "nouns.tsv": NOUNS,
    "verbs.tsv": VERBS,
    "words.tsv": WORDS,
    "phrases.toml": PHRASES,
}

MakeLanguage = Callable[..., Path]
