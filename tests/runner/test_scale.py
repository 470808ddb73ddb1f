"""Thousands of cases: CPU time and memory of the parent grow with their number, no faster."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

SCRIPT = """
import json, resource, sys, time
from pathlib import Path
from exportdb.runner import run as module
from exportdb.executors.protocol import Task
from tests.runner.conftest import Bench

# In the place of an examination: a record of a common size, at once.
module.task_of = lambda e, timeout, memory_mb, alone, timeout_factor, tag: Task(
    "tests.executors.stand_ins:record", (e.program.id, e.program.digest), tag=tag
)
bench = Bench(Path(sys.argv[1]))
for i in range(int(sys.argv[2])):
    bench.case(f"case_{i}", i)
request = bench.request("export")
seconds = []
for fresh in (True, False):
    begun = time.process_time()
    run = bench.run(request=request, jobs=2, reuse=1000, fresh=fresh)
    print(end="")
    seconds.append(time.process_time() - begun)
# getrusage would count what the process that started this one took, before it became this one.
status = Path("/proc/self/status")
if status.exists():
    peak = int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([*seconds, peak, len(request.programs)]))
"""


def measure(folder, count: int) -> list[float]:
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder), str(count)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    measured: list[float] = json.loads(done.stdout)
    return measured


@pytest.mark.slow
def test_thousands_of_cases_cost_no_more_each_than_a_few(tmp_path):
    pytest.importorskip("torch")
    fresh, known, _, few = measure(tmp_path / "few", 250)
    fresh_many, known_many, peak, many = measure(tmp_path / "many", 2500)
    print(f"{few} and {many}: fresh {fresh:.1f} and {fresh_many:.1f} s, known {known:.2f} and "
          f"{known_many:.2f} s, peak {peak:.0f} MiB")  # fmt: skip
    assert fresh_many < 15 * fresh
    assert known_many < 15 * known
    assert peak < 600
