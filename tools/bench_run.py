"""What a run costs beside the exporter's own work, measured in one go on this machine.

    python tools/bench_run.py [CASE ...] [--jobs 2]

Prints, for all cases (or those named):

(a) the bare ``torch.export.export`` calls, in one warm process;
(b) the bare necessary work in the same process: (a), ``.module()``, and eager and capture run on
    the very same samples, with no isolation, comparison, graph or record;
(c) ``exportdb run --exporter export --jobs 1 --fresh``, and where its time goes;
(d) the same with more jobs;
(e) the same again with nothing changed.

Seconds of the clock and of the processor, those of all processes together. Both vary with the
machine; the ratios hold, those of the processor also where others compute beside it. This is a
report, not a test.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from exportdb.cases.case import Case
    from exportdb.executors.local.cleanliness import Guard


class Seconds(NamedTuple):
    """What something took, of the clock and of this process's processor."""

    wall: float
    cpu: float

    @staticmethod
    def now() -> Seconds:
        """Both since some moment."""
        return Seconds(time.perf_counter(), time.process_time())

    def since(self, before: Seconds) -> Seconds:
        """What passed between the two."""
        return Seconds(self.wall - before.wall, self.cpu - before.cpu)

    def and_(self, other: Seconds) -> Seconds:
        """Both, one after the other."""
        return Seconds(self.wall + other.wall, self.cpu + other.cpu)


def bare(patterns: list[str]) -> dict[str, Seconds]:
    """(a) and (b), torch's import measured apart.

    A program may leave torch in a state in which the next one fails, so that all run in one warm
    process until one does, and the rest in the next one that is forked.
    """
    started = Seconds.now()
    import torch

    imported = Seconds.now().since(started)
    torch.set_num_threads(1)

    from exportdb.cases.database import load
    from exportdb.executors.local.cleanliness import Guard

    class Warm(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x + 1

    n = torch.export.Dim("n", min=2, max=9)
    torch.export.export(Warm(), (torch.ones(5),), dynamic_shapes={"x": {0: n}}).module()(
        torch.ones(4)
    )
    cases, guard = load().select(patterns), Guard()
    exporting = running = Seconds(0.0, 0.0)
    while cases:
        told = forked(cases, guard)
        for more_exporting, more_running in told:
            exporting, running = exporting.and_(more_exporting), running.and_(more_running)
        cases = cases[len(told) :]
        if cases and not told.unclean:
            print(f"left out, it ends its process: {cases[0].id}", file=sys.stderr)
            cases = cases[1:]
    return {"import torch": imported, "a": exporting, "b": exporting.and_(running)}


class Told(list[tuple[Seconds, Seconds]]):
    """What the cases that a process ran to their end took, each; whether it ended unclean."""

    unclean = False


def forked(cases: Sequence[Case], guard: Guard) -> Told:
    """What the first cases took in a child of this process, until one leaves it unclean."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            with os.fdopen(writing, "w", buffering=1) as tell:
                for line in until_unclean(cases, guard):
                    print(json.dumps(line), file=tell)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writing)
    told = Told()
    with os.fdopen(reading) as answer:
        for text in answer:
            if (seconds := json.loads(text)) is None:
                told.unclean = True
            else:
                told.append((Seconds(*seconds[0]), Seconds(*seconds[1])))
    os.waitpid(child, 0)
    return told


def until_unclean(cases: Sequence[Case], guard: Guard) -> Iterator[tuple[Seconds, Seconds] | None]:
    """What each case took, and None after one that left this process unclean."""
    guard.take_baseline()
    for case in cases:
        exporting = running = Seconds(0.0, 0.0)
        for more_exporting, more_running in bare_case(case):
            exporting, running = exporting.and_(more_exporting), running.and_(more_running)
        yield exporting, running
        if guard.end():
            yield None
            return


def bare_case(case: Case) -> Iterator[tuple[Seconds, Seconds]]:
    """Of each module of a case, the export and then the calls of eager and capture."""
    import torch

    from exportdb.conformance.options import Options
    from exportdb.conformance.program import load_program
    from exportdb.conformance.sampling.planning import plan
    from exportdb.devices.builtin import Cpu
    from exportdb.suites.cases import CaseProgram

    program = load_program(CaseProgram(case), Cpu())
    for name in case.meta.models:
        module, eager = program.model(name), program.model(name)
        samples = plan(program, name, module, Options()).samples
        args, kwargs = program.build()
        torch._dynamo.reset()
        started = Seconds.now()
        try:
            exported = torch.export.export(
                module, args, kwargs, dynamic_shapes=program.dynamic_shapes
            )
        except Exception:
            yield Seconds.now().since(started), Seconds(0.0, 0.0)
            continue
        finished = Seconds.now()
        call = exported.module()
        for sample in samples:
            for run in (eager, call):
                try:
                    given, named = sample.build()
                    run(*given, **named)
                except Exception:
                    continue
        yield finished.since(started), Seconds.now().since(finished)


def command(home: Path, *arguments: str) -> tuple[Seconds, list[dict[str, Any]]]:
    """One ``exportdb run``: what it and its children took, and its records."""
    environment = {**os.environ, "EXPORTDB_HOME": str(home)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "run", "--exporter", "export", "--json", *arguments],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    wall = time.perf_counter() - started
    if done.returncode not in (0, 1):
        sys.exit(f"exportdb run failed:\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    records = [json.loads(line) for line in done.stdout.splitlines()[1:]]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Seconds(wall, cpu), records


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--bare", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.bare:
        measured = bare(asked.cases)
        with Path(os.environ["BENCH_OUT"]).open("w") as out:
            json.dump(measured, out)
        return

    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "bare.json")
        done = subprocess.run(
            [sys.executable, __file__, "--bare", *asked.cases],
            env={**os.environ, "BENCH_OUT": str(out)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            sys.exit(f"the bare work failed:\n{done.stderr[-2000:]}")
        b = {what: Seconds(*both) for what, both in json.loads(out.read_text()).items()}
        one, records = command(Path(folder, "1"), "--jobs", "1", "--fresh", *asked.cases)
        many, _ = command(Path(folder, "2"), "--jobs", str(asked.jobs), "--fresh", *asked.cases)
        again, _ = command(Path(folder, "1"), *asked.cases)

    bound = b["b"].and_(b["b"]).and_(b["import torch"])
    rows = [
        ("import torch", b["import torch"], ""),
        ("(a) bare export calls", b["a"], ""),
        ("(b) bare necessary work", b["b"], ""),
        ("the bound, 2 x (b) + import", bound, ""),
        ("(c) exportdb run --jobs 1", one,
         f"{one.wall / bound.wall:.2f} of the bound, of the processor {one.cpu / bound.cpu:.2f}"),
        (f"(d) exportdb run --jobs {asked.jobs}", many,
         f"{one.wall / many.wall:.2f} times as fast as (c)"),
        ("(e) again, nothing changed", again, ""),
    ]  # fmt: skip
    print(f"{len(records)} cases, exporter export, device cpu; seconds")
    print(f"  {'':<30} {'clock':>8} {'CPU':>8}")
    for name, seconds, note in rows:
        print(f"  {name:<30} {seconds.wall:8.2f} {seconds.cpu:8.2f}  {note}")
    phases: Counter[str] = Counter()
    for record in records:
        phases.update(record["seconds"])
    print("where (c) goes")
    for phase, seconds in phases.most_common():
        print(f"  {phase:<30} {seconds:8.2f}")
    rest = one.wall - sum(phases.values()) - b["import torch"].wall
    print(f"  {'import torch, once':<30} {b['import torch'].wall:8.2f}")
    print(f"  {'processes, cache, the rest':<30} {rest:8.2f}")


if __name__ == "__main__":
    main()
