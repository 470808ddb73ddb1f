"""What two nodes of a cluster gain over one, and what scheduling costs beside a run without one.

    python tools/bench_cluster.py ['mutation/*' ...] [--exporter export,make-fx] [--times 1]

Starts a Ray cluster of two nodes with one CPU each on this machine (the head runs nothing), and
examines the same cases here with one job, on one node and on both. Prints, for each, the seconds
until the first record and then the milliseconds for each, by the clock and of all processors, Ray's
own processes included. Two nodes are to be at least 1.7 times as fast as one, which
takes a machine with two idle cores; scheduling may cost 5 % of the processor's time here.
A report, not a test.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, fields
from pathlib import Path

from exportdb.executors.cpu_time import cpu_seconds

#: Seconds between two looks at the file of records.
LOOK = 0.02


@dataclass(frozen=True)
class Took:
    """What a run took: seconds until its first record, then milliseconds for each."""

    until: float
    clock: float
    cpu: float


def took(words: list[str]) -> Took:
    """Run it in a home of its own and watch its records come, from a tenth of them to nine."""
    with tempfile.TemporaryDirectory() as home:
        began = time.perf_counter()
        seen: list[tuple[int, float, float]] = []
        run = subprocess.Popen(
            [sys.executable, "-m", "exportdb", "run", *words, "--fresh", "--home", home],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while run.poll() is None:
            time.sleep(LOOK)
            count = sum(p.read_bytes().count(b"\n") - 1 for p in Path(home).glob("runs/*.jsonl"))
            if count > (seen[-1][0] if seen else 0):
                seen.append((count, time.perf_counter(), cpu_seconds()))
        assert run.returncode in (0, 2), run.returncode
    most = seen[-1][0]
    first = next(s for s in seen if s[0] >= most / 10)
    last = [s for s in seen if s[0] <= most * 9 / 10][-1]
    each = 1000 / (last[0] - first[0])
    return Took(seen[0][1] - began, (last[1] - first[1]) * each, (last[2] - first[2]) * each)


def main() -> None:
    """Run the same three times, and print what each took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cases", nargs="*", default=["mutation/*"])
    parser.add_argument("--exporter", default="export,make-fx")
    parser.add_argument("--times", type=int, default=1, help="the median of so many is told")
    asked = parser.parse_args()
    os.environ["RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"] = "0"  # else Ray warns
    from ray.cluster_utils import Cluster

    words = [*asked.cases, "--exporter", asked.exporter]
    found: dict[str, Took] = {}

    def measured(name: str, *more: str) -> None:
        runs = [took([*words, *more]) for _ in range(asked.times)]
        one = found[name] = Took(
            *(statistics.median(getattr(r, f.name) for r in runs) for f in fields(Took))
        )
        print(f"{name:<10} first record after {one.until:5.1f} s, then one in {one.clock:6.1f} ms "
              f"by the clock, {one.cpu:6.1f} ms of processors", flush=True)  # fmt: skip

    measured("here", "--jobs", "1")
    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False}
    )
    try:
        cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        measured("one node", "--cluster", cluster.address)
        cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        measured("two nodes", "--cluster", cluster.address)
    finally:
        cluster.shutdown()
    here, one, two = (found[name] for name in ("here", "one node", "two nodes"))
    print(f"two nodes are {one.clock / two.clock:.2f} times as fast as one")
    print(f"scheduling costs {one.clock / here.clock - 1:+.1%} by the clock, "
          f"{one.cpu / here.cpu - 1:+.1%} of processors")  # fmt: skip


if __name__ == "__main__":
    main()
