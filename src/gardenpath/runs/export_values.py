"""Suites with the surprisal of every region, as a run scored them: SyntaxGym files for other tools."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import polars

from gardenpath.errors import InputError
from gardenpath.io.messages import advise, quote
from gardenpath.runs.compared_values import counts_end
from gardenpath.runs.model_pair import choose_one
from gardenpath.runs.results import Run, read_run
from gardenpath.runs.run_tables import sentence_texts
from gardenpath.suites.formats.region_contents import region_contents
from gardenpath.suites.formats.region_values import MeasuredSuite, write_region_values
from gardenpath.suites.formats.write import check_output, file_names, is_single_file
from gardenpath.suites.load import load_suites
from gardenpath.suites.prediction import Prediction
from gardenpath.suites.rendering import render_suite
from gardenpath.suites.suite import Suite


def export_values(name: str, run: str | Path | Run, path: str | Path, *, model: str | None = None) -> list[Path]:
    """Write the suites of a name as SyntaxGym JSON with the bits of every region as a model of a run scored them.

    The suites are loaded as the run did, with its sample, seed, words, join, case and stop. `path` is a file, or a
    folder for a file of each suite; the files are returned. `model` names the model where the run has several.
    """
    path = Path(path)
    check_output(path, "syntaxgym")
    done = run if isinstance(run, Run) else read_run(run)
    spec = done.spec
    loaded = load_suites(
        name, join=spec.join, columns=spec.columns, sample=spec.sample, seed=spec.seed, lexicon=spec.lexicon,
        vocabulary=spec.vocabulary,
    )  # fmt: skip
    if len(loaded) > 1 and is_single_file(path):
        raise InputError(f"{path}: {len(loaded)} suites do not fit in one SyntaxGym file; name a folder")
    suites = [render_suite(with_predictions(done, suite), case=spec.case, stop=spec.stop) for suite in loaded]
    measured = measure_suites(done, suites, choose_one(done, model, "--model"))
    single = is_single_file(path)
    files = [path] if single else [path / f"{file}.json" for file in file_names(suites)]
    for one, file in zip(measured, files, strict=True):
        write_region_values(one, file)
    return files


def with_predictions(run: Run, suite: Suite) -> Suite:
    """The suite with the predictions that a run evaluated: some of its own, or those that were given beside it."""
    record = next((one for one in run.manifest.suites if one.name == suite.name), None)
    if record is None:
        raise InputError(
            f"the run has no suite {suite.name!r}; it has {quote(one.name for one in run.manifest.suites)}"
        )
    own = [one for one in suite.predictions if one.name in record.predictions]
    known = {one.name for one in own}
    given = [Prediction.parse(name, text) for name, text in record.predictions.items() if name not in known]
    return replace(suite, predictions=(*own, *given))


def measure_suites(run: Run, suites: Sequence[Suite], model: str) -> list[MeasuredSuite]:
    """Sum the bits of every region of suites that a model of a run scored."""
    tokens = run.scan_tokens().filter(polars.col("model") == model)
    require_same_sentences(suites, tokens)
    refuse_counted_end(run, model)
    keys = ["suite", "item", "condition"]
    summed = tokens.group_by([*keys, "region"]).agg(polars.col("bits").sum()).collect()
    regions = {tuple(row[:4]): row[4] for row in summed.iter_rows()}
    whole = {tuple(row[:3]): row[3] for row in summed.group_by(keys).agg(polars.col("bits").sum()).iter_rows()}
    measured = []
    for suite in suites:
        values: dict[tuple[str, str, str], float] = {}
        for trial, sentence in suite.trials():
            place = (suite.name, trial.item, trial.condition)
            for region, content in region_contents(sentence):
                # A region in which no token begins has no bits of its own; an empty one has none to miss.
                found = whole[place] if region == "*" else regions.get((*place, region), float("nan"))
                values[trial.item, trial.condition, region] = 0.0 if not content else found
        measured.append(MeasuredSuite(suite, values, "sum", model))
    return measured


def refuse_counted_end(run: Run, model: str) -> None:
    """Raise where the end of a sentence, which is no token, counts in a region; warn where it counts in the whole."""
    end = any(counts_end(run.manifest, one) for one in run.manifest.models if one.name == model)
    if end and run.spec.end_region:
        raise InputError(
            f"the run counts the end of a sentence in the last region of {model!r} (end_region), and its tokens do not "
            "have the bits of the end: repeat the run without end_region, or without the protocol that sets it"
        )
    if run.spec.normalise != "none" or end:
        advise("the values are sums of bits: neither the end of the sentence nor a division by length is in them")


def require_same_sentences(suites: Sequence[Suite], tokens: polars.LazyFrame) -> None:
    """Raise where the run did not score a sentence of the suites, or another one in its place."""
    found = sentence_texts(tokens, [suite.name for suite in suites])
    texts = {tuple(row[:3]): row[3] for row in found.select("suite", "item", "condition", "letters").iter_rows()}
    for suite in suites:
        for trial, sentence in suite.trials():
            if texts.get((suite.name, trial.item, trial.condition)) != "".join(sentence.text.split()):
                raise InputError(
                    f"suite {suite.name!r}, item {trial.item!r}, condition {trial.condition!r}: the run did not score "
                    f"{sentence.text!r}; name the suite that was run, unchanged"
                )
