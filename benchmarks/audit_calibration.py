"""Does the audit name confounds that were planted, and pass suites that are clean?

python benchmarks/audit_calibration.py                     the tables of docs/audit.md: the half that set no threshold
python benchmarks/audit_calibration.py --half calibrate    the half on which the thresholds were chosen
python benchmarks/audit_calibration.py --seed 7            other suites of the same kinds

The suites (benchmarks/planted) were written by someone who had not seen the audit.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence

from gardenpath.auditing.audit import audit
from gardenpath.auditing.finding import Audit, AuditFinding
from gardenpath.suites.suite import Suite
from planted.suites import CONFOUNDS, SEED, MadeSuite, make_suites, plant_suite, recipes

RIGHT = {
    "a": [("frequency", "")],
    "b": [("length", "fewer words")],
    "c": [("length", "fewer characters")],
    "d": [("repetition", "")],
    "e": [(check, repr(word)) for check in ("counterbalancing", "spelling") for word in ("that", "on", "of", ",")],
    "f": [("spelling", "capital letters")],
    "g": [("word order", "")],
    "h": [("counterbalancing", "")],
    "i": [("duplicates", "")],
}
"""The findings that name each confound: the check, and a part of its message."""
SHARES = (0.2, 0.3, 0.4, 0.5, 0.6)


def audit_made(made: MadeSuite) -> Audit:
    """Audit a suite as a user would, from its pairs alone."""
    return audit(Suite.from_pairs(made.pairs, name=made.name))


def raised(found: Audit) -> list[AuditFinding]:
    """The findings that need attention."""
    return [finding for finding in found.findings if finding.severity in ("look", "problem")]


def is_named(found: Audit, confound: str) -> bool:
    """Whether a finding that needs attention names the confound."""
    return any(
        finding.check == check and part in finding.message
        for finding in raised(found)
        for check, part in RIGHT[confound]
    )


def planted_table(rows: Sequence[tuple[MadeSuite, Audit]]) -> Iterable[str]:
    """How often each confound is named, with the verdicts, and what else is raised."""
    yield "| planted | suites | named | `ok` | `look` | `problem` | other findings raised |"
    yield "|---|---:|---:|---:|---:|---:|---|"
    for letter, name in CONFOUNDS.items():
        of_kind = [found for made, found in rows if made.confound == letter]
        named = sum(is_named(found, letter) for found in of_kind)
        own = {check for check, _ in RIGHT[letter]}
        others = Counter(finding.check for found in of_kind for finding in raised(found) if finding.check not in own)
        text = ", ".join(f"{check} {count}" for check, count in others.most_common())
        yield f"| {name} | {len(of_kind)} | {named} | {verdicts(of_kind)} | {text} |"


def clean_table(rows: Sequence[tuple[MadeSuite, Audit]]) -> Iterable[str]:
    """The verdicts on suites without a confound, and what is raised."""
    yield "| without a planted confound | suites | `ok` | `look` | `problem` | findings raised |"
    yield "|---|---:|---:|---:|---:|---|"
    for kind in ("clean", "hard-clean"):
        of_kind = [found for made, found in rows if made.kind == kind]
        counts = Counter(finding.check for found in of_kind for finding in raised(found))
        text = ", ".join(f"{check} {count}" for check, count in counts.most_common())
        yield f"| {kind} | {len(of_kind)} | {verdicts(of_kind)} | {text} |"


def verdicts(audits: Sequence[Audit]) -> str:
    """The number of each verdict, as cells of a table."""
    counts = Counter(found.verdict for found in audits)
    return " | ".join(str(counts[verdict]) for verdict in ("ok", "look", "problem"))


def share_table(half: set[str], seed: int) -> Iterable[str]:
    """How often a confound is named if it is only in a share of the pairs."""
    yield "| named, if planted in | " + " | ".join(f"{100 * share:.0f} %" for share in SHARES) + " |"
    yield "|---|" + "---:|" * len(SHARES)
    for letter, name in CONFOUNDS.items():
        if letter == "h":
            continue  # an answer that is right in half of the pairs is balanced
        chosen = [recipe for recipe in recipes() if recipe.letter == letter and f"{letter}_{recipe.name}" in half]
        cells = []
        for share in SHARES:
            found = [audit_made(plant_suite(recipe, seed=seed, share=share)) for recipe in chosen]
            cells.append(f"{sum(is_named(one, letter) for one in found)} of {len(found)}")
        yield f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=("calibrate", "test"), default="test")
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    rows = [(made, audit_made(made)) for made in make_suites(arguments.seed) if made.half == arguments.half]
    names = {made.name for made, _ in rows}
    for table in (planted_table(rows), clean_table(rows), share_table(names, arguments.seed)):
        print("\n".join(table), end="\n\n")


if __name__ == "__main__":
    main()
