"""How long the commands that only read take, start of Python included.

    python tools/bench_read.py [--generated 5000] [--runs 9]

Prints the median wall-clock and CPU milliseconds of ``--help``, ``list`` and ``show`` on the
database, beside a bare start of Python, and of ``list`` on a tree of generated cases. A report,
not a test: the budget of 200 ms is for an idle core.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASE = '''"""
title: Generated case {i}
description: One of many, to see how reading grows with their number.
tags: [torch.dynamic-shape]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x + {i}


def inputs():
    return torch.ones(3)
'''


def median(words: list[str], runs: int) -> tuple[float, float]:
    """Median wall-clock and CPU milliseconds of a command, after one run that is not counted."""
    wall, cpu = [], []
    usual = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(runs + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        subprocess.run(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, env=usual
        )
        wall.append(time.perf_counter() - started)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(wall[1:]) * 1000, statistics.median(cpu[1:]) * 1000


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--generated", type=int, default=5000)
    parser.add_argument("--runs", type=int, default=9)
    asked = parser.parse_args()
    exportdb = [sys.executable, "-m", "exportdb"]
    with tempfile.TemporaryDirectory() as folder:
        for i in range(asked.generated):
            path = Path(folder, f"topic_{i % 50}", f"case_{i}.py")
            path.parent.mkdir(exist_ok=True)
            path.write_text(CASE.format(i=i))
        os.environ["EXPORTDB_HOME"] = str(Path(folder, "home"))
        rows = [
            ("python -c pass", [sys.executable, "-c", "pass"]),
            ("exportdb --help", [*exportdb, "--help"]),
            ("exportdb list", [*exportdb, "list"]),
            ("exportdb show top_k/int_argument", [*exportdb, "show", "top_k/int_argument"]),
            (f"exportdb list, {asked.generated:,} more", [*exportdb, "list", "--cases", folder]),
        ]
        print(f"{'median of ' + str(asked.runs):<36} {'wall ms':>9} {'CPU ms':>9}")
        for name, words in rows:
            wall, cpu = median(words, asked.runs)
            print(f"{name:<36} {wall:9.0f} {cpu:9.0f}")


if __name__ == "__main__":
    main()
