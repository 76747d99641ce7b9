"""What a user may write: checked by mypy --strict, not run."""

from pathlib import Path

import gardenpath as gp

scores = gp.score("smollm2", ["The keys to the cabinet are lost.", "The keys to the cabinet is lost."], end=True)
words: int = scores.words().height
total: float = scores[0].total

pairs = gp.Suite.from_pairs([("the dog barks", "the dog bark")], name="mine")
spec = gp.RunSpec(models=("smollm2",), suites=("agreement",), sample=10)
run = gp.run(models=["smollm2", Path("models/lstm")], suites=["agreement", pairs, "my.csv"], out="runs/first")
again: gp.Run = gp.run(spec, seed=1)
table = run.accuracy(by="suite")
effects = run.effects(by="condition")
run.save("runs/copy")
both: gp.Runs = gp.read_runs(["runs/first", again])
tables = [gp.compare(both), gp.accuracy(run, by="phenomenon"), gp.read_run("runs/copy").outcomes()]
page: Path = gp.report([run, "runs/copy"], "report.html")
gp.check_model(gp.load_model("smollm2"))
lstm = gp.train("lstm", corpus="train.txt", valid="valid.txt", budget="2 minutes", out="models/lstm")
trained = gp.run(models=[lstm, gp.train("ngram", corpus="train.txt", order=3, out="models/3gram")])
