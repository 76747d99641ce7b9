"""One spelling of every phenomenon."""

import tomllib

import pytest

from gardenpath.suites.catalog import BUILTIN
from gardenpath.suites.phenomena import SPELLINGS, phenomenon_name


@pytest.mark.parametrize(
    ("names", "spelling"),
    [
        (["subject_verb_agreement", "Subject-Verb Agreement", "subject-verb  agreement "], "Subject-verb agreement"),
        (["npi_licensing", "NPI Licensing", "negative polarity licensing"], "NPI licensing"),
        (["control_raising", "Control/Raising"], "Control/raising"),
        (["filler-gap dependencies over three clauses"], "Filler-gap dependencies over three clauses"),
        (["SV-#"], "SV-#"),
        (["BA"], "BA"),
        (["NP/Z garden paths, overt object"], "NP/Z garden paths, overt object"),
        (["npi"], "NPI"),
        ([""], ""),
    ],
)
def test_other_spellings_of_a_phenomenon(names: list[str], spelling: str) -> None:
    assert {phenomenon_name(name) for name in names} == {spelling}


def test_a_spelling_is_spelled_as_it_is() -> None:
    assert [phenomenon_name(name) for name in SPELLINGS] == list(SPELLINGS)


def test_the_phenomena_of_blimp_and_of_marvin_and_linzen_are_known() -> None:
    found = {
        phenomenon_name(tomllib.loads(path.read_text(encoding="utf-8")).get("phenomenon", ""))
        for collection in ("blimp", "marvin-linzen")
        for path in (BUILTIN / collection).glob("*.toml")
    }
    assert found - {""} <= set(SPELLINGS)
