"""BLiMP by field and phenomenon, as its tables show it."""

import polars
import pytest

import gardenpath as gp
from gardenpath.runs.accuracy_text import accuracy_text
from small_bigram import Bigram

SUITES = ["blimp/adjunct_island", "blimp/wh_island", "blimp/passive_1", "blimp/irregular_past_participle_verbs"]


def test_fields_pool_their_suites() -> None:
    run = gp.run(models=[Bigram()], suites=SUITES, sample=3, by="field")
    table = run.accuracy("field").group_by("field", maintain_order=True).agg(polars.col("n").max()).rows()
    assert table == [("syntax", 9), ("morphology", 3)]
    assert {row["field"] for row in run.manifest.results} == {"syntax", "morphology"}
    assert "suite" not in run.manifest.results[0]
    head, *_ = accuracy_text(run.summary("field")).splitlines()
    assert head.split()[:3] == ["field", "prediction", "n"]
    *_, crossed = (row for row in run.summary("field,phenomenon") if "mean" not in row)
    assert (crossed["field"], crossed["phenomenon"]) == ("morphology", "Irregular forms")
    assert accuracy_text(run.summary("field,phenomenon")).split()[:2] == ["field", "phenomenon"]
    both = run.accuracy("field,phenomenon").select("field", "phenomenon").unique(maintain_order=True).rows()
    assert both == [("syntax", "Island effects"), ("syntax", "Argument structure"), ("morphology", "Irregular forms")]


def test_suites_without_fields_have_no_such_column() -> None:
    assert "field" not in gp.run(models=[Bigram()], suites=["agreement"], sample=1).outcomes().columns


@pytest.mark.parametrize(("by", "known"), [("UID", "suite"), ("linguistics_term", "phenomenon")])
def test_the_names_of_blimp_lead_to_ours(by: str, known: str) -> None:
    run = gp.run(models=[Bigram()], suites=SUITES[:2], sample=1)
    with pytest.raises(gp.InputError, match=rf"; BLiMP's '{by}' is '{known}' here$"):
        run.accuracy(by)
    with pytest.raises(gp.InputError, match=rf"pool suites by .*; BLiMP's '{by}' is '{known}' here$"):
        gp.run(models=[Bigram()], suites=SUITES[:2], sample=1, by=by)
