"""How many broken exporters the database and the engine catch.

    python tools/bench_detection.py --predicates [--family GLOB] [--jobs 2] [--json FILE]
                                    [--min-score 0.99]
    python tools/bench_detection.py --operators [CASE ...] [--jobs 2] [--json FILE]
    python tools/bench_detection.py --arguments [CASE ...] [--json FILE]
    python tools/bench_detection.py [CASE ...] [--kind KIND] [--mutant NAME] [--missed FILE]
                                    [--all] [--fitting N] [--seconds S]
                                    [--jobs 2] [--json FILE] [--min-score 0.98]

Puts some hundred exporters with one defect each (``tools/detection/mutants``) to all cases, or to
those named, each until two cases have caught it, and prints the score by kind, who is missed and
why, and what is caught by one case alone. A mutant is caught by a case when its outcome there is
worse than that of the sound capture it was made of, or the same with a further finding.

With ``--fitting`` each mutant is put to about that many cases that have what it breaks, as the
graphs say that are kept beside them, and with ``--seconds`` no further case is begun after that
time; ``--missed`` takes the mutants that an earlier result, written with ``--json``, has as missed.

With ``--predicates`` it measures the generated samples alone: of all conditions of a form, the
share for whose two sides some sample is made. ``--family`` takes those whose names fit, so that
they can be measured in parts; ``--list`` prints the names.

With ``--operators`` it puts no mutant to anything, but lists the operators of core ATen that no
program runs, or one alone: a backend that has one of them wrong is not caught. Those that only
come up while others are decomposed are not counted.

With ``--arguments`` it runs nothing, but lists the arguments of operators that no program gives
another value than the default's, and those that are never negative, never of the other truth or
never of another size for each dim, as the graphs say that are kept beside the cases.

Minutes on two cores. Exit code 1 when the score is below ``--min-score``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detection.mutant import Mutant

    from exportdb.cases.case import Case

sys.path.insert(0, str(Path(__file__).resolve().parent))


def predicates(asked: argparse.Namespace) -> int:
    """Measure the predicate families, print the result, and give the exit code."""
    from detection import predicates

    families = [f for f in predicates.families()
                if any(fnmatch(f.name, name) for name in asked.family or ["*"])]  # fmt: skip
    if not families:
        raise SystemExit("bench_detection: no such family")
    if asked.list:
        print(*(f"{f.name}  ({len(f.constants)}, by {f.decided_by})" for f in families), sep="\n")
        return 0
    started = time.perf_counter()
    found = predicates.run(families, asked.jobs)
    constants = sum(told.constants for told in found)
    print(f"{constants} conditions, {time.perf_counter() - started:.0f} s")
    print(*predicates.table(found), sep="\n")
    if asked.json:
        asked.json.write_text(json.dumps(predicates.as_json(found), indent=1) + "\n")
    # What decides by data alone can be met by no declared range, and is not asked for.
    wanted = [told.share for told in found if told.decided_by == "sizes"]
    return int(min(wanted, default=1.0) < asked.min_score)


def chosen(asked: argparse.Namespace) -> list[Case]:
    """The cases that the command line names; ends with one line for a name that is none."""
    from exportdb.cases.database import SelectionError, load

    try:
        return list(load().select(asked.cases))
    except SelectionError as e:
        raise SystemExit(f"bench_detection: {e}") from None


def operators(asked: argparse.Namespace) -> int:
    """List what core ATen has and the cases have not; always 0."""
    from detection import driver
    from detection.operators import core

    found = driver.run(chosen(asked), [], asked.jobs)
    by_operator = {
        name: sorted(case for case, names in found.operators.items() if name in names)
        for name in sorted(core())
    }
    for count, says in (0, "in no case"), (1, "in one case"):
        names = [name for name, ids in by_operator.items() if len(ids) == count]
        print(f"{len(names)} of {len(by_operator)} operators of core ATen {says}:", *names)
    print(*(f"{case}: {reason}" for case, reason in sorted(found.broken.items())), sep="\n")
    if asked.json:
        asked.json.write_text(json.dumps(by_operator, indent=1) + "\n")
    return 0


def arguments(asked: argparse.Namespace) -> int:
    """List the arguments that no case gives; always 0."""
    from detection import given

    graphs = list(given.kept(case.expectations_path for case in chosen(asked)))
    never, one_sided = given.never_given(graphs), given.one_sided(graphs)
    for said, found in ("Always the default's:", never), ("Never:", one_sided):
        print(said, *(f"  {name}: {', '.join(names)}" for name, names in found.items()), sep="\n")
    if asked.json:
        told = {"never_given": never, "one_sided": one_sided}
        asked.json.write_text(json.dumps(told, indent=1) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cases", nargs="*", help="IDs, globs or topics; all cases if none")
    parser.add_argument("--kind", action="append", help="mutants of this kind (a glob)")
    parser.add_argument("--mutant", action="append", help="the mutant of this name")
    parser.add_argument(
        "--all", action="store_true", help="go on when enough cases caught a mutant"
    )
    parser.add_argument("--enough", type=int, default=2, help="cases that are to catch a mutant")
    parser.add_argument("--missed", type=Path, help="those that this result has as missed")
    parser.add_argument("--fitting", type=int, metavar="N", help="cases that a mutant is put to")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no case later")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result there")
    parser.add_argument("--min-score", type=float, default=0.0)
    parser.add_argument("--list", action="store_true", help="print what would be tried")
    parser.add_argument("--predicates", action="store_true", help="measure the samples alone")
    parser.add_argument("--family", action="append", help="predicates of this name (a glob)")
    parser.add_argument("--operators", action="store_true", help="list operators that no case has")
    parser.add_argument("--arguments", action="store_true", help="list arguments never given")
    return parser


def _mutants(asked: argparse.Namespace) -> list[Mutant]:
    """The mutants that are asked for."""
    from detection.mutant import MUTANTS

    kinds, names = asked.kind or ["*"], asked.mutant or list(MUTANTS)
    mutants = [m for m in MUTANTS.values()
               if m.name in names and any(fnmatch(m.kind, kind) for kind in kinds)]  # fmt: skip
    if asked.missed:
        told = json.loads(asked.missed.read_text())["mutants"]
        missed = {m["name"] for m in told if not m["caught"]}
        mutants = [m for m in mutants if m.name in missed]
    return mutants


def main() -> int:
    """Run the benchmark, print what it says, and give the exit code."""
    parser = _parser()
    asked = parser.parse_args()
    if asked.predicates:
        return predicates(asked)
    if asked.operators:
        return operators(asked)
    if asked.arguments:
        return arguments(asked)

    import detection.mutants  # noqa: F401  # fills MUTANTS
    from detection import driver, fitting, score

    mutants = _mutants(asked)
    if not mutants:
        parser.error("no mutant of that name or kind; --list shows all")
    if asked.list:
        print(*(f"{m.kind}: {m.says}  [{m.name}]" for m in mutants), sep="\n")
        return 0
    cases = chosen(asked)
    started, count = time.perf_counter(), 0
    tallies = driver.Run({})

    def done(_case: object) -> None:
        nonlocal count
        count += 1
        if sys.stderr.isatty() or count % 20 == 0:
            left = sum(not t.caught for t in tallies.tallies.values())
            said = f"{count} of {len(cases)} cases, {left} of {len(mutants)} not caught"
            print(said, end="\r" if sys.stderr.isatty() else "\n", file=sys.stderr, flush=True)
        if asked.json:  # what a run that is cut off has found so far
            written(tallies)

    def written(found: driver.Run) -> None:
        seconds = time.perf_counter() - started
        asked.json.write_text(json.dumps(score.as_json(found, seconds), indent=1) + "\n")

    chosen_for = fitting.fitting(mutants, cases, asked.fitting) if asked.fitting else None
    if chosen_for:
        cases.sort(key=lambda case: -sum(chosen_for(case, mutant) for mutant in mutants))

    def fits(case: Case, mutant: Mutant) -> bool:
        in_time = time.perf_counter() - started < asked.seconds
        return in_time and (chosen_for is None or chosen_for(case, mutant))

    enough = None if asked.all else asked.enough
    found = driver.run(cases, mutants, asked.jobs, enough, done, tallies, fits)
    seconds = time.perf_counter() - started
    print(f"\n{len(mutants)} broken exporters, {len(cases)} cases, {seconds:.0f} s")
    print(*score.table(found), *score.lists(found), sep="\n")
    if asked.json:
        written(found)
    return int(score.score(found.tallies.values()) < asked.min_score)


if __name__ == "__main__":
    sys.exit(main())
