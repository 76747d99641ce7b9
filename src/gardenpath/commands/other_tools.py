"""Options of other tools, and what they are called here."""

from typing import Any

from gardenpath.commands.help_text import PlainHelpCommand
from gardenpath.errors import InputError

MEMORY = (
    "there is no batch size: sentences are packed into as few passes as fit into --memory (megabytes, default 256); "
    "it changes results only by rounding"
)
OTHER_NAMES = {
    "--batch-size": MEMORY,
    "--tasks": "name suites as arguments or with --suite: `gardenpath run blimp`",
    "--limit": "--sample N scores at most N items per suite",
    "--output-path": "--out FOLDER is where results are written",
    "--output-dir": "--out FOLDER is where results are written",
    "--model-args": "name the model with --model hf:NAME; --revision, --dtype and --device have options of their own",
    "--model-path-or-name": "name the model with --model hf:NAME",
    "--revision-name": "--revision NAME is the branch, tag or commit of a model of the hub",
    "--backend": "the prefix of --model says how a model is scored: hf:NAME (causal), mlm:NAME, mntp:NAME, s2s:NAME",
    "--log-samples": "every run keeps all items in its folder; leave it out",
    "--save-predictions": "every run keeps all items in its folder; leave it out",
    "--num-fewshot": "sentences are scored as they are, without examples; leave it out",
}
"""Options of lm-evaluation-harness and of BabyLM's pipelines, with the message that says what to write instead."""
CONTEXT = "--steps N is the number of tokens that training reads at once: the context of a GPT-2"
TRAINING_NAMES = dict.fromkeys(
    ("--context", "--context-length", "--context-size", "--block-size", "--max-length", "--seq-length"), CONTEXT
) | {
    "--batch-size": "--batch N is the number of texts or sentences read at once",
    "--epochs": "--budget 5epochs is for how long to train",
    "--output-dir": "--out FOLDER is where the model is written",
    "--lr": "--learning-rate X is the learning rate",
}
"""Options of other tools that train, with the message that says what to write instead."""
MODEL_FIRST = ("score", "perplexity", "parse")
"""Commands that take models without an option."""


class KnowingCommand(PlainHelpCommand):
    """A command that knows the options of other tools."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse arguments; an option of another tool that this command has not ends with what to write instead."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            option = getattr(error, "option_name", None)
            name = "" if option is None else str(option).partition("=")[0].replace("_", "-")
            if name in ("--model", "-m") and self.name in MODEL_FIRST:
                raise InputError(
                    f"no option {option!r}; the model is the first argument: `gardenpath {self.name} MODEL …`"
                ) from error
            own = {option for parameter in self.params for option in parameter.opts}
            training = {name: text for name, text in TRAINING_NAMES.items() if text.partition(" ")[0] in own}
            names = training if ctx.command_path.partition(" ")[2].startswith("train ") else OTHER_NAMES
            if name not in names:
                raise
            raise InputError(f"no option {option!r}; {names[name]}") from error
