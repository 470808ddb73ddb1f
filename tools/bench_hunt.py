"""What a hunt costs, and how evenly its programs are spread over the grammar.

    python tools/bench_hunt.py [--programs 120] [--seed 0] [--exporter export,export-strict]
                               [--min-rate 60] [--json FILE]

Makes programs and examines them, without a cache and without making anything small. Prints how many
a CPU minute, the share that was made, valid on all accepted samples, and captured, and how many
programs have each element. Exit code 1 when there are fewer than
``--min-rate`` programs a CPU minute.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from exportdb import resolve  # noqa: E402
from exportdb.hunt.buckets import marks  # noqa: E402
from exportdb.hunt.elements import ELEMENTS  # noqa: E402
from exportdb.hunt.hunting import Asked, Hunt  # noqa: E402
from exportdb.hunt.known import Known  # noqa: E402


def cpu() -> float:
    """CPU seconds of this process and all that it has waited for."""
    return sum(u.ru_utime + u.ru_stime for u in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))


def measure(asked: Asked) -> dict[str, object]:
    """Make ``asked.programs`` programs, examine them, and say what came out."""
    hunt = Hunt(asked, Known())
    count, began = asked.programs or 0, cpu()
    made = hunt._programs(range(count))
    making, began = cpu() - began, cpu()
    records = hunt._examined([case for case, _ in made])
    examining = cpu() - began
    outcomes = Counter(str(r.outcome) for r in records)
    captured = [r for r in records if r.outcome not in ("refused", "error", "unavailable")]
    names = [name for name in marks_of(case.program for case, _ in made) if name.islower()]
    return {
        "wanted": count, "made": len(made), "seconds making": round(making, 1),
        "seconds examining": round(examining, 1),
        "programs a CPU minute": round(60 * len(made) / (making + examining), 1),
        "made a CPU minute": round(60 * len(made) / making, 1),
        "valid": 1 - outcomes["error"] / max(1, len(records)),
        "captured": len(captured) / max(1, len(records)),
        "outcomes": dict(outcomes),
        "elements": dict(Counter(e for _, elements in made for e in elements).most_common()),
        "different operators": len(set(names)),
    }  # fmt: skip


def marks_of(programs: object) -> list[str]:
    """Everything that each program does, one list for all."""
    return [m for p in programs for m in marks(p) if ast.parse(p)]  # type: ignore[attr-defined]


def main() -> int:
    """Run the benchmark, print what it says, and give the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=120)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--exporter", default="export,export-strict")
    parser.add_argument("--min-rate", type=float, default=0.0)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the result there")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        asked = Asked(
            resolve.find_exporters([given.exporter]), resolve.find_devices(["cpu"])[0],
            seed=given.seed, programs=given.programs, home=Path(home),
        )  # fmt: skip
        found = measure(asked)
    for name, value in found.items():
        print(f"{name}: {value:.1%}" if name in ("valid", "captured") else f"{name}: {value}")
    shares = {e.name: round(e.share / sum(x.share for x in ELEMENTS), 3) for e in ELEMENTS}
    print(f"shares asked for: {shares}")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    return int(float(str(found["programs a CPU minute"])) < given.min_rate)


if __name__ == "__main__":
    sys.exit(main())
