"""Runs the repro of every cell that disagrees with eager, and fails where one shows nothing.

    python tools/check_repros.py                    every cell measured with the torch that is here
    python tools/check_repros.py --shard 3/24       a part of them
    python tools/check_repros.py inputs --exporter export

Each script runs in a process of its own, forked from one that has imported torch: what it prints
and how it ends is what a reader sees who pastes it into a file.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import resource
import runpy
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from exportdb.records.expectation import Point, minor
from exportdb.reports import captures, repro
from exportdb.site.load import Inputs, load

#: Seconds after which a script shows nothing any more, and gigabytes that it may take.
LIMIT, GIGABYTES = 240, 12
#: What each script would spend most of its time on importing.
WARM = ["torch", "torch.export", "torch._dynamo", "torch.fx.experimental.proxy_tensor"]


@dataclass(frozen=True)
class Script:
    """The repro of a cell, as text; what the cell says."""

    case: str
    exporter: str
    outcome: str
    text: str


def scripts(chosen: argparse.Namespace) -> Iterator[Script]:
    """The repros that were asked for; a cell without one has an empty text."""
    here = Point(minor(version("torch")), "cpu")
    for view in load(Inputs()).cases.values():
        for cell in view.cells:
            known = cell.exporter in captures.CAPTURES and cell.outcome in repro.SHOWS
            asked = not chosen.exporter or cell.exporter in chosen.exporter
            asked = asked and (not chosen.cases or view.id.startswith(tuple(chosen.cases)))
            if known and asked and cell.point == here:
                script = repro.script(
                    cell.record, view.case.meta.models[0], view.case.program, view.case.meta.train
                )
                text = view.case.program + script if script else ""
                yield Script(view.id, cell.exporter, cell.outcome.value, text)


def run(script: Script, output: str) -> None:
    """Run a script as ``python repro.py`` does; what it prints goes to ``output``."""
    resource.setrlimit(resource.RLIMIT_AS, (GIGABYTES << 30, GIGABYTES << 30))
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    path = f"{output}.py"
    Path(path).write_text(script.text, encoding="utf-8")
    sys.argv = [path]
    runpy.run_path(path, run_name="__main__")


def fault(script: Script) -> str:
    """What a script does not show; "" for one that shows the trouble."""
    with tempfile.TemporaryDirectory(prefix="exportdb-repro-") as folder:
        output = f"{folder}/repro"
        child = multiprocessing.get_context("forkserver").Process(target=run, args=(script, output))
        child.start()
        child.join(LIMIT)
        if child.is_alive():
            child.kill()
            child.join()
            return f"not done after {LIMIT} s"
        said = Path(output).read_text(encoding="utf-8") if Path(output).exists() else ""
    if "on the sample" not in said:
        return f"never came to a sample: {said.strip()[-400:]}"
    if child.exitcode == 0:
        return f"shows nothing: {said.strip()[-400:]}"
    # It ends on the difference, and not on a mistake of its own.
    if child.exitcode == 1 and "AssertionError" not in said.rstrip().rpartition("Traceback")[2]:
        return f"ends otherwise: {said.strip()[-400:]}"
    return ""


def shard(text: str) -> tuple[int, int]:
    """``K/N`` as two numbers. Raises ArgumentTypeError."""
    number, _, of = text.partition("/")
    if number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of):
        return int(number), int(of)
    raise argparse.ArgumentTypeError(f"{text!r} must be like 3/24, the first from 1 to the second")


def main() -> int:
    """The exit code: 0 if every repro shows what its cell says."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("cases", nargs="*", help="beginnings of IDs of cases")
    parser.add_argument("--exporter", action="append", help="repeatable")
    parser.add_argument("--shard", type=shard, default=(1, 1), metavar="K/N",
                        help="every N-th, from the K-th")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    number, of = chosen.shard
    cells = list(scripts(chosen))[number - 1 :: of]
    asked = [s for s in cells if s.text]
    multiprocessing.get_context("forkserver").set_forkserver_preload(WARM)
    began, faults = time.monotonic(), Counter[str]()
    with ThreadPoolExecutor(chosen.jobs) as pool, contextlib.suppress(KeyboardInterrupt):
        for script, said in zip(asked, pool.map(fault, asked), strict=True):
            if said:
                faults[script.exporter] += 1
                print(f"{script.case} {script.exporter} {script.outcome}: {said}", flush=True)
    print(f"{len(cells) - len(asked)} cells have no repro")
    print(f"{len(asked)} repros, {faults.total()} of them faulty, {time.monotonic() - began:.0f} s")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
