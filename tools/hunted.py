"""Puts broken exporters to generated programs, to see which of them a hunt would catch.

Owns the process in which programs are made and examined: eager is observed once for all mutants of
a program, one capture is shared by them, and a mutant that was caught is put to no other. What
"caught" means is ``detection.examining``'s.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from multiprocessing.connection import Connection

import detection.mutants  # noqa: F401  # fills MUTANTS
import torch
from detection import captures, examining
from detection.driver import _warm_up
from detection.graphs import graphs_of
from detection.mutant import HIGHER_ORDER, Broken, Mutant
from detection.operators import name_of

from exportdb.cases.frontmatter import parse_case
from exportdb.conformance.task import ModelTask
from exportdb.hunt import generate, opinfo
from exportdb.hunt.state import HuntOptions
from exportdb.hunt.trials import FEWER

#: Programs of one process, and seconds without a word after which it is taken to hang.
PORTION, SILENCE = 50, 60.0


@dataclass
class Tally:
    """What came of one mutant: the programs that it was put to, and the first that caught it."""

    mutant: Mutant
    programs: int = 0
    reached: int = 0
    caught: str = ""


def portions(programs: int) -> Iterator[range]:
    """The numbers of so many programs, as many at a time as one process makes."""
    return (range(i, min(i + PORTION, programs)) for i in range(0, programs, PORTION))


def put(asked: HuntOptions, numbers: range, tallies: Mapping[str, Tally]) -> None:
    """Put the mutants that nobody has caught yet to the programs of these numbers, all in one
    process, which is begun again behind what ends it."""
    torch.set_num_threads(1)  # or operations hang in a process forked from this one
    _warm_up()
    opinfo.operators()  # takes long once
    left = list(numbers)
    while left and (missed := [t.mutant for t in tallies.values() if not t.caught]):
        reading, writing = multiprocessing.get_context("fork").Pipe(duplex=False)
        process = multiprocessing.get_context("fork").Process(
            target=_work, args=(asked, left, missed, writing)
        )
        process.start()
        writing.close()
        now = ""
        while reading.poll(SILENCE):
            try:
                now, number, told = reading.recv()
            except EOFError:
                break
            left = left[left.index(number) :]
            if told is not None and now:
                tally, now = tallies[now], ""
                tally.reached += told.reached
                tally.caught = f"{told.said} (program {number})" if told.caught else ""
            elif not now:
                for tally in tallies.values():
                    tally.programs += not tally.caught
        else:
            process.kill()
        process.join()
        if now and process.exitcode:
            tallies[now].caught = f"crashed: the process ended (program {left[0]})"
        elif process.exitcode:
            left = left[1:]
        else:
            return


def _work(asked: HuntOptions, numbers: list[int], mutants: list[Mutant], pipe: Connection) -> None:
    """Make these programs and tell of each mutant what came of it; before, that it is its turn."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, sys.stdout.fileno())
    os.dup2(quiet, sys.stderr.fileno())
    warnings.simplefilter("ignore")
    for number in numbers:
        pipe.send(("", number, None))
        for one in generate.programs(asked.seed, [number], (), asked.around):
            path = asked.home / "program.py"
            path.write_text(one["text"], encoding="utf-8")
            case = parse_case(f"hunt/seed{asked.seed}_{number}", path, one["text"])
            try:
                bench = _Bench(case, case.meta.models[0])
                features = bench.features
            except Exception:  # the program is not one that can be examined
                continue
            for mutant in list(mutants):
                parts = features.operators & {*HIGHER_ORDER.values()}
                if parts and mutant.base != "export" and not mutant.needs & parts:
                    continue  # eager compiles on every call
                pipe.send((mutant.name, number, None))
                if (verdict := examining._verdict(bench, mutant)) is not None:
                    pipe.send((mutant.name, number, verdict))
                    if verdict.caught:
                        mutants.remove(mutant)
        if not mutants:
            break


class _Bench(examining.Bench):
    """One program, with the samples that a hunt takes."""

    def _task(self, exporter: Broken) -> ModelTask:
        return replace(super()._task(exporter), options=FEWER)

    def result(self, mutant: Mutant) -> examining.Result | None:
        """What comes of a mutant; of a lowering only where the graph has what it lowers."""
        if mutant.lowers and not mutant.lowers & self.exported:
            return None
        return super().result(mutant)

    @cached_property
    def exported(self) -> frozenset[str]:
        """The operators in the graphs of the exported program; none where there is none."""
        self.control("export")
        graph = getattr(captures._EXPORTED.get("program"), "graph_module", None)
        graphs = graphs_of(graph) if graph is not None else ()
        return frozenset(name_of(node.target) for each in graphs for node in each.graph.nodes)
