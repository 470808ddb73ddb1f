"""What a hunt costs, and how evenly its programs are spread over the grammar.

    python tools/bench_hunt.py [--programs 120] [--seed 0] [--exporter export,export-strict]
                               [--min-rate 60] [--json FILE]
    python tools/bench_hunt.py --mutants 60 [--draw 0] [--programs 500] [--seed 0] [--json FILE]
    python tools/bench_hunt.py --missed FILE --around own --json FILE [--minutes 5] ...

Makes programs and examines them, without a cache and without making anything small. Prints how many
a CPU minute, the share that was made, valid on all accepted samples, and captured, and how many
programs have each element. Exit code 1 when there are fewer than
``--min-rate`` programs a CPU minute.

With ``--mutants`` it puts so many broken exporters (``tools/detection/mutants``), drawn by
``--draw``, to the programs instead, each until a program has caught it, and prints the share that
was caught, of all and of those whose defect came up in a program. With ``--missed`` it takes those
that an earlier result did not catch, and with ``--around`` programs around these elements and
operators.
``--around own`` puts each to programs of its own, around the operators that it breaks or else the
elements that defects of its kind need; with ``--minutes`` it begins with no further one after that
time, and ``--json`` goes on where it ended.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from exportdb import resolve  # noqa: E402
from exportdb.hunt.around import around  # noqa: E402
from exportdb.hunt.elements import ELEMENTS  # noqa: E402
from exportdb.hunt.features import features  # noqa: E402
from exportdb.hunt.hunting import Hunt  # noqa: E402
from exportdb.hunt.known import Known  # noqa: E402
from exportdb.hunt.state import HuntOptions  # noqa: E402

if TYPE_CHECKING:
    from detection.mutant import Mutant


def cpu() -> float:
    """CPU seconds of this process and all that it has waited for."""
    return sum(u.ru_utime + u.ru_stime for u in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def measure(asked: HuntOptions) -> dict[str, object]:
    """Make ``asked.programs`` programs, examine them, and say what came out."""
    hunt = Hunt(asked, Known())
    count, began = asked.programs or 0, cpu()
    made = hunt._programs(range(count))
    making, began = cpu() - began, cpu()
    records = hunt._examined([one.case for one in made])
    examining = cpu() - began
    outcomes = Counter(str(r.outcome) for r in records)
    captured = [r for r in records if r.outcome not in ("refused", "error", "unavailable")]
    does = {feature for one in made for feature in features(one.case.program)}
    names = [name for name in does if name.isidentifier() and name.islower()]
    return {
        "wanted": count, "made": len(made), "seconds making": round(making, 1),
        "seconds examining": round(examining, 1),
        "programs a CPU minute": round(60 * len(made) / (making + examining), 1),
        "made a CPU minute": round(60 * len(made) / making, 1),
        "valid": 1 - outcomes["error"] / max(1, len(records)),
        "not valid": sorted({f"{r.case}: {r.error.type}: {r.error.message[:300]}"
                             for r in records if r.outcome == "error" and r.error}),
        "captured": len(captured) / max(1, len(records)),
        "outcomes": dict(outcomes),
        "elements": dict(Counter(e for one in made for e in one.elements).most_common()),
        "different operators": len(names),
    }  # fmt: skip


def drawn(given: argparse.Namespace) -> list[Mutant]:
    """The broken exporters that the command line asks for: those that an earlier result missed, or
    so many drawn by the seed."""
    import hunted  # noqa: F401  # fills MUTANTS
    from detection.mutant import MUTANTS

    every = sorted(MUTANTS.values(), key=lambda m: m.name)
    if given.missed:
        told = json.loads(given.missed.read_text())
        missed = {*told.get("met and missed", ()), *told.get("never met", ())}
        missed |= {name for name, one in told.items()
                   if isinstance(one, dict) and one.get("caught") == ""}  # fmt: skip
        return [m for m in every if m.name in missed]
    return random.Random(given.draw).sample(every, min(given.mutants, len(every)))


def against_mutants(asked: HuntOptions, mutants: Sequence[Mutant]) -> dict[str, object]:
    """Put broken exporters to ``asked.programs`` programs, each until one has caught it, and say
    who was caught."""
    from hunted import Tally, portions, put

    began, tallies = cpu(), {m.name: Tally(m) for m in mutants}
    for some in portions(asked.programs or 0):
        put(asked, some, tallies)
        caught = sum(bool(t.caught) for t in tallies.values())
        print(f"{some.stop} programs, {caught} of {len(mutants)} caught", flush=True)
        if caught == len(mutants):
            break
    caught_ones = [t for t in tallies.values() if t.caught]
    met = [t for t in tallies.values() if t.reached or t.caught]
    return {
        "programs": asked.programs, "CPU seconds": round(cpu() - began, 1),
        "mutants": len(mutants), "caught": len(caught_ones), "met": len(met),
        "share caught": len(caught_ones) / len(mutants),
        "share caught of those met": len(caught_ones) / max(1, len(met)),
        "caught as": dict(Counter(t.caught.split(":")[0] for t in caught_ones)),
        "met and missed": sorted(t.mutant.name for t in met if not t.caught),
        "never met": sorted(t.mutant.name for t in tallies.values() if t not in met),
    }  # fmt: skip


def each_around_own(
    asked: HuntOptions, given: argparse.Namespace, mutants: Iterable[Mutant]
) -> None:
    """Put each mutant to programs around what it needs until one catches it, and keep in
    ``given.json`` by how many."""
    from detection import needs
    from hunted import Tally, portions, put

    told = json.loads(given.json.read_text()) if given.json.exists() else {}
    mutants, began = list(mutants), time.monotonic()
    for mutant in (m for m in mutants if m.name not in told):
        if given.minutes and time.monotonic() - began > given.minutes * 60:
            break
        spent, tally = cpu(), Tally(mutant)
        asking = replace(asked, around=needs.of(mutant))
        for some in portions(given.programs):
            put(asking, some, {mutant.name: tally})
            if tally.caught:
                break
        told[mutant.name] = {
            "around": asking.around, "programs": tally.programs, "reached": tally.reached,
            "caught": tally.caught, "CPU seconds": round(cpu() - spent, 1),
        }  # fmt: skip
        print(mutant.name, told[mutant.name], flush=True)
        given.json.write_text(json.dumps(told, indent=1) + "\n")
    caught = sum(bool(one["caught"]) for one in told.values())
    print(f"{caught} of {len(told)} caught; {len(mutants) - len(told)} are left")


def main() -> int:
    """Run the benchmark, print what it says, and give the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--exporter", default="export,export-strict")
    parser.add_argument("--min-rate", type=float, default=0.0)
    parser.add_argument("--mutants", type=int, metavar="N", help="put so many mutants to them")
    parser.add_argument("--draw", type=int, default=0, help="seed by which the mutants are drawn")
    parser.add_argument("--missed", type=Path, help="those that this result of --mutants missed")
    parser.add_argument("--around", default="", help="programs around these; `own`: see above")
    parser.add_argument("--minutes", type=float, help="begin with no further mutant after these")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result there")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asked = HuntOptions(
            resolve.find_exporters([given.exporter]), resolve.find_devices(["cpu"]),
            seed=given.seed, programs=given.programs, home=Path(home), jobs=given.jobs,
            around=around([*filter(None, given.around.split(","))], Path(home))
            if given.around != "own" else (),
        )  # fmt: skip
        mutants = drawn(given) if given.mutants or given.missed else []
        if given.around == "own":
            each_around_own(asked, given, mutants)
            return 0
        found = against_mutants(asked, mutants) if mutants else measure(asked)
    for name, value in found.items():
        print(f"{name}: {value:.1%}" if isinstance(value, float) and value <= 1 else
              f"{name}: {value}")  # fmt: skip
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    if mutants:
        return 0
    shares = {e.name: round(e.share / sum(x.share for x in ELEMENTS), 3) for e in ELEMENTS}
    print(f"shares asked for: {shares}")
    return int(float(str(found["programs a CPU minute"])) < given.min_rate)


if __name__ == "__main__":
    sys.exit(main())
