"""Plans: which steps there are, and what makes a step another one."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import gardenpath as gp
from gardenpath.experiments.plan import Plan, order_steps, read_plan
from gardenpath.experiments.step import DONE, Step, resolve_paths
from small_experiments import GRID, write_experiment


def names(plan: Plan, kind: str) -> set[str]:
    """The names of the steps of a kind."""
    return {name for name, step in plan.steps.items() if step.kind == kind}


def test_a_grid_has_a_step_for_every_combination(tmp_path: Path) -> None:
    plan = gp.Experiment.read(write_experiment(tmp_path)).plan(tmp_path / "out")
    assert plan.counts() == {"corpus": 1, "train": 4, "run": 4, "analysis": 1, "gather": 1, "report": 1}
    labels = [name.removeprefix("models/").rpartition("-")[0] for name in names(plan, "train")]
    assert sorted(labels) == ["ngram-40-seed1", "ngram-40-seed2", "ngram-80-seed1", "ngram-80-seed2"]
    position = {name: number for number, name in enumerate(plan.steps)}
    assert all(position[used] < position[name] for name, step in plan.steps.items() for used in step.inputs)


def test_a_plan_does_not_depend_on_its_folder_and_can_be_read_again(tmp_path: Path) -> None:
    experiment = gp.Experiment.read(write_experiment(tmp_path))
    one, other = experiment.plan(tmp_path / "one"), experiment.plan(tmp_path / "other")
    assert list(one.steps) == list(other.steps)
    one.write()
    assert read_plan(tmp_path / "one") == one


def test_only_what_depends_on_a_change_is_another_step(tmp_path: Path) -> None:
    path = write_experiment(tmp_path)
    plan = gp.Experiment.read(path).plan("out")
    path.write_text(GRID.replace("sample = 4", "sample = 5"))
    other_items = gp.Experiment.read(path).plan("out")
    assert names(plan, "train") == names(other_items, "train")
    assert not names(plan, "run") & names(other_items, "run")
    path.write_text(GRID.replace("seeds = [1, 2]", "seeds = [2, 3]"))
    other_seeds = gp.Experiment.read(path).plan("out")
    assert len(names(plan, "train") & names(other_seeds, "train")) == 2
    path.write_text(GRID)
    (tmp_path / "stories.txt").write_text("another text altogether .\n" * 100)
    other_text = gp.Experiment.read(path).plan("out")
    assert not plan.steps.keys() & other_text.steps.keys()


def test_shards_become_steps_that_are_joined(tmp_path: Path) -> None:
    path = write_experiment(tmp_path, GRID.replace("[runs.all]", "[runs.all]\nshards = 3"))
    plan = gp.Experiment.read(path).plan("out")
    assert plan.counts() == {"corpus": 1, "train": 4, "shard": 12, "join": 4, "analysis": 1, "gather": 1, "report": 1}
    joins = [plan.steps[name] for name in names(plan, "join")]
    assert all(len(join.inputs) == 3 for join in joins)


def test_what_is_done_is_known_by_one_file(tmp_path: Path) -> None:
    plan = gp.Experiment.read(write_experiment(tmp_path)).plan(tmp_path / "out")
    assert len(plan.missing()) == len(plan.steps)
    first = next(iter(plan.steps))
    (tmp_path / "out" / first).mkdir(parents=True)
    assert not plan.done()
    (tmp_path / "out" / first / DONE).write_text("{}")
    assert plan.done() == {first}


def test_many_runs_are_gathered_in_groups(tmp_path: Path) -> None:
    seeds = ", ".join(map(str, range(300)))
    plan = gp.Experiment.read(write_experiment(tmp_path, GRID.replace("[1, 2]", f"[{seeds}]"))).plan("out")
    gathering = [plan.steps[name] for name in names(plan, "gather")]
    assert sorted(len(step.inputs) for step in gathering) == [2, 100, 500]


def test_paths_of_results_are_below_the_experiment() -> None:
    work = {"models": ["lstm=step:models/lstm-1/result"], "corpus": "step:corpora/a-2/result/train.txt", "n": 3}
    expected = {"models": ["lstm=models/lstm-1/result"], "corpus": "corpora/a-2/result/train.txt", "n": 3}
    assert resolve_paths(work) == expected
    assert resolve_paths("a step:by step") == "a step:by step"


@given(st.lists(st.lists(st.integers(0, 30), max_size=4), max_size=30), st.randoms())
def test_every_step_stands_after_its_inputs(uses: list[list[int]], random: object) -> None:
    steps = [
        Step(f"models/{number}", "train", "", {}, tuple(f"models/{used}" for used in own if used < number))
        for number, own in enumerate(uses)
    ]
    random.shuffle(steps)  # type: ignore[attr-defined]
    ordered = list(order_steps(steps))
    assert sorted(ordered) == sorted(step.name for step in steps)
    assert all(ordered.index(used) < ordered.index(step.name) for step in steps for used in step.inputs)


def test_small_runs_share_a_step(tmp_path: Path) -> None:
    path = write_experiment(tmp_path, GRID.replace("[runs.all]", "[runs.all]\ntogether = 3"))
    plan = gp.Experiment.read(path).plan("out")
    runs = [plan.steps[name] for name in names(plan, "run")]
    assert sorted(len(run.inputs) for run in runs) == [1, 3]
