"""The audit separates the clean from the planted suites of benchmarks/planted, as docs/audit.md says."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_tables_of_the_docs_are_those_that_the_benchmark_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import audit_calibration
    from planted.suites import make_suites

    rows = [(made, audit_calibration.audit_made(made)) for made in make_suites() if made.half == "test"]
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    for table in (audit_calibration.planted_table(rows), audit_calibration.clean_table(rows)):
        assert "\n".join(table) in page
    assert all(audit_calibration.is_named(found, made.confound) for made, found in rows if made.confound)
    assert {found.verdict for made, found in rows if made.kind == "clean"} == {"ok"}
