"""Experiments: one file from corpora to figures."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gardenpath.errors import InputError
from gardenpath.experiments.build import REPORT, build_plan
from gardenpath.experiments.file import FULL, ExperimentFile, read_experiment_file
from gardenpath.experiments.inputs import GivenInputs, Inputs, input_option, read_inputs
from gardenpath.experiments.plan import Plan
from gardenpath.experiments.spec import ExperimentSpec
from gardenpath.experiments.step import RESULT

if TYPE_CHECKING:
    from gardenpath.experiments.engine import OnEngineEvent
    from gardenpath.experiments.status import Status


@dataclass(frozen=True, slots=True, repr=False)
class Experiment:
    """An experiment: corpora, trainings, models, suites, people, runs and analyses, read from a TOML file.

    >>> from pathlib import Path
    >>> _ = Path("grammar.toml").write_text('''
    ... [models.embedded]
    ... models = "smollm2"
    ... [suites.number]
    ... suites = "agreement"
    ... [runs.all]
    ... [analyses.all]
    ... ''')
    >>> experiment = Experiment.read("grammar.toml")
    >>> experiment
    <Experiment 'grammar': 1 models, 1 suites, 1 runs, 1 analyses>
    >>> experiment.plan("results").counts()
    {'run': 1, 'analysis': 1, 'gather': 1, 'report': 1}
    """

    source: ExperimentFile
    inputs: Inputs = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | Path, *, scale: str = "", inputs: GivenInputs | None = None) -> "Experiment":
        """Read an experiment file, or an experiment that comes with gardenpath, by name.

        `scale`: one of its scales (`tiny`, `small`, …); by default the full one. `inputs`: paths of files that the
        experiment needs, by the names it gives them: `{"treebank": ["gum.mrg", "masc.mrg"]}`.
        """
        return cls(read_experiment_file(path, scale=scale), read_inputs(inputs or {}))

    @property
    def spec(self) -> ExperimentSpec:
        """The specification in the file, at its scale."""
        return self.source.spec

    @property
    def name(self) -> str:
        """The name of the file, with the scale: `hu-2020, tiny`."""
        return self.source.name if self.source.scale == FULL else f"{self.source.name}, {self.source.scale}"

    def __repr__(self) -> str:
        sections = ("corpora", "trainings", "models", "suites", "people", "runs", "analyses")
        counts = ", ".join(f"{len(own)} {one}" for one in sections if (own := getattr(self.spec, one)))
        return f"<Experiment {self.name!r}: {counts}>"

    def plan(self, out: str | Path) -> Plan:
        """Plan the steps of the experiment in a folder; nothing is written.

        Missing inputs are planned for as if they were given; `missing_inputs` lists them.
        """
        return build_plan(self.source, Path(out), self.inputs).plan

    def missing_inputs(self) -> dict[str, str]:
        """Inputs that the experiment still needs, each with its description."""
        return dict(build_plan(self.source, Path(), self.inputs).missing)

    def optional_inputs(self) -> dict[str, str]:
        """Inputs that are not given and not required, each with its description."""
        return dict(build_plan(self.source, Path(), self.inputs).optional)

    def complete_plan(self, out: str | Path) -> Plan:
        """Plan the steps of the experiment in a folder; raise an `InputError` if an input is missing."""
        built = build_plan(self.source, Path(out), self.inputs)
        if built.missing:
            needed = "; ".join(f"{about or name}: give {input_option(name)}" for name, about in built.missing.items())
            raise InputError(f"the experiment needs {needed}")
        return built.plan

    def run(
        self, out: str | Path, *, on: str = "local", cores: int | None = None, options: Sequence[str] = (),
        on_event: "OnEngineEvent | None" = None,
    ) -> "Status":  # fmt: skip
        """Do the missing steps, and return the state of all steps.

        `on`: `local`, `slurm`, or another executor of Snakemake by name, to which `options` are passed. `on_event`
        receives the state of the steps about once a second (see `experiments.engine`). After an interruption, the same
        call resumes.
        """
        from gardenpath.experiments.engine import carry_out, ignore_event

        plan = self.complete_plan(out)
        status = carry_out(plan, on=on, cores=cores, options=options, on_event=on_event or ignore_event)
        if status.is_complete:
            from gardenpath.experiments.work.pages import publish_report

            (page,) = (step for step in plan.steps.values() if step.kind == "report")
            # Also where the step was done before: the page may have been deleted, or be that of another version.
            publish_report(plan.root / page.name / RESULT, plan.root / REPORT)
        return status
