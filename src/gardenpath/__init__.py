"""Targeted syntactic evaluation of language models: what does a model know about grammar?

    import gardenpath as gp

    scores = gp.score("smollm2", ["The keys to the cabinet are lost.", "The keys to the cabinet is lost."])
    scores.words()                                          # the surprisal of every word, in bits

    run = gp.run(models=["smollm2"], suites=["agreement"])
    run.accuracy(by="suite")                                # with intervals, chance, ties, invalid items
    run.items(failed=True)                                  # which items failed, the hardest first
    run.save("runs/first")

    gp.compare(["runs/first", "runs/second"])               # every pair of models: difference, interval, test
    gp.report(["runs/first"], "report.html")                # one page that works offline

    model = gp.train("lstm", corpus="train.txt", valid="valid.txt", budget="30 minutes", out="models/lstm")

Score sentences:  score, Scores
Run suites:       run, RunSpec, Run, Runs, run_shard, join_shards, evaluate
Results:          read_run, read_runs, accuracy, effects, compare, report, write_table, harness_results
Suites:           load_suite, load_suites, read_suite, list_suites, audit
                  Suite, Item, Condition, Sentence, Region, Prediction
Models:           load_model, check_model, LanguageModel, ModelCard, WordTokenizer
Training:         train, TrainSpec, TrainedModel
People:           Study, StudySpec, read_responses, Responses
Experiments:      Experiment
Errors:           InputError

`help(gardenpath.run)` and so on show an example of every name; `gardenpath --help` lists the commands.
Every other module is internal and may change.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from gardenpath.auditing.audit import audit as audit
    from gardenpath.errors import InputError as InputError
    from gardenpath.experiments.experiment import Experiment as Experiment
    from gardenpath.human.formats.read import read_responses as read_responses
    from gardenpath.human.responses import Responses as Responses
    from gardenpath.human.spec import StudySpec as StudySpec
    from gardenpath.human.study import Study as Study
    from gardenpath.models.conformance import check_model as check_model
    from gardenpath.models.load import load_model as load_model
    from gardenpath.models.protocol import LanguageModel as LanguageModel
    from gardenpath.models.protocol import ModelCard as ModelCard
    from gardenpath.models.tokenizers import WordTokenizer as WordTokenizer
    from gardenpath.reporting.report import report as report
    from gardenpath.reporting.table_file import write_table as write_table
    from gardenpath.runs.evaluate import evaluate as evaluate
    from gardenpath.runs.harness_results import harness_results as harness_results
    from gardenpath.runs.join_shards import join_shards as join_shards
    from gardenpath.runs.results import Run as Run
    from gardenpath.runs.results import Runs as Runs
    from gardenpath.runs.results import accuracy as accuracy
    from gardenpath.runs.results import compare as compare
    from gardenpath.runs.results import effects as effects
    from gardenpath.runs.results import read_run as read_run
    from gardenpath.runs.results import read_runs as read_runs
    from gardenpath.runs.run import run as run
    from gardenpath.runs.run_shard import run_shard as run_shard
    from gardenpath.runs.score import Scores as Scores
    from gardenpath.runs.score import score as score
    from gardenpath.runs.spec import RunSpec as RunSpec
    from gardenpath.suites.load import load_suite as load_suite
    from gardenpath.suites.load import load_suites as load_suites
    from gardenpath.suites.load import read_suite as read_suite
    from gardenpath.suites.overview import list_suites as list_suites
    from gardenpath.suites.prediction import Prediction as Prediction
    from gardenpath.suites.suite import Condition as Condition
    from gardenpath.suites.suite import Item as Item
    from gardenpath.suites.suite import Region as Region
    from gardenpath.suites.suite import Sentence as Sentence
    from gardenpath.suites.suite import Suite as Suite
    from gardenpath.training.specs.parts import TrainSpec as TrainSpec
    from gardenpath.training.train import TrainedModel as TrainedModel
    from gardenpath.training.train import train as train

NAMES = {
    "auditing.audit": "audit",
    "errors": "InputError",
    "experiments.experiment": "Experiment",
    "human.formats.read": "read_responses",
    "human.responses": "Responses",
    "human.spec": "StudySpec",
    "human.study": "Study",
    "models.conformance": "check_model",
    "models.load": "load_model",
    "models.protocol": "LanguageModel ModelCard",
    "models.tokenizers": "WordTokenizer",
    "reporting.report": "report",
    "reporting.table_file": "write_table",
    "runs.evaluate": "evaluate",
    "runs.harness_results": "harness_results",
    "runs.join_shards": "join_shards",
    "runs.results": "Run Runs accuracy compare effects read_run read_runs",
    "runs.run": "run",
    "runs.run_shard": "run_shard",
    "runs.score": "Scores score",
    "runs.spec": "RunSpec",
    "suites.load": "load_suite load_suites read_suite",
    "suites.overview": "list_suites",
    "suites.prediction": "Prediction",
    "suites.suite": "Condition Item Region Sentence Suite",
    "training.specs.parts": "TrainSpec",
    "training.train": "TrainedModel train",
}
"""The public names by the module that defines them, which is imported when one is first used."""
MODULES = {name: f"gardenpath.{module}" for module, names in NAMES.items() for name in names.split()}

__all__ = sorted(MODULES)


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(f"gardenpath has no attribute {name!r}; its public names are {', '.join(__all__)}")
    value = globals()[name] = getattr(import_module(MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
