"""Puts all mutants to all cases, a process a case, and stops with those that were caught enough.

Owns the processes. What is done in one of them is ``examining``'s; what the result says is
``score``'s.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait

import torch

from detection.examining import CatchResult, put_to
from detection.mutant import HIGHER_ORDER, Mutant
from exportdb.cases.case import Case

#: Cases to which a mutant is put that needs a process of its own, unless all are asked for.
FEW = 16


@dataclass
class Tally:
    """What came of one mutant: in how many cases it was tried, and in which reached and caught."""

    mutant: Mutant
    tried: int = 0
    reached: list[str] = field(default_factory=list)
    caught: dict[str, str] = field(default_factory=dict)  # by case, in words
    trouble: dict[str, str] = field(default_factory=dict)  # what its own code raised, by case


@dataclass
class Run:
    """What came of all mutants; ``operators`` by case, ``broken`` cases with the reason."""

    tallies: dict[str, Tally]
    operators: dict[str, frozenset[str]] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)


def run(
    cases: Sequence[Case],
    mutants: Sequence[Mutant],
    jobs: int = 2,
    enough: int | None = 2,
    done: Callable[[Case], None] = lambda case: None,
    found: Run | None = None,
    fits: Callable[[Case, Mutant], bool] = lambda case, mutant: True,
) -> Run:
    """Put ``mutants`` to ``cases``, each until it was caught by ``enough`` cases (None: to all).
    Only to those that it ``fits``.

    What comes of it is added to ``found`` while it goes on, for ``done`` to look at.
    """
    torch.set_num_threads(1)  # or operations hang in a process forked from this one
    _warm_up()
    found = found or Run({})
    found.tallies.update((m.name, Tally(m)) for m in mutants)
    # Where eager compiles on every call, few mutants are tried; these cases come last.
    waiting = sorted(cases, key=lambda c: any(t in HIGHER_ORDER for t in c.meta.tags))
    working: dict[Connection, _CaseWorker] = {}
    while waiting or working:
        while waiting and len(working) < jobs:
            case = waiting.pop(0)
            left = [mutant for mutant in _left(found, enough) if fits(case, mutant)]
            if mutants and not left:
                continue
            worker = _CaseWorker(case, left, enough is None)
            working[worker.start()] = worker
        # With no process left there is nothing to wait for, and it would never end.
        for ready in wait(list(working)) if working else []:
            assert isinstance(ready, Connection)
            worker = working[ready]
            if worker.read(ready, found):
                continue
            del working[ready]
            if worker.left:
                working[worker.start()] = worker
            else:
                done(worker.case)
    return found


def _left(found: Run, enough: int | None) -> Iterator[Mutant]:
    """The mutants that are to be put to the next case."""
    for tally in found.tallies.values():
        if enough is None or (
            len(tally.caught) < enough and not (tally.mutant.alone and tally.tried >= FEW)
        ):
            yield tally.mutant


class _CaseWorker:
    """The process of one case; begun again after a mutant that ended it."""

    def __init__(self, case: Case, mutants: list[Mutant], thorough: bool) -> None:
        self.case, self.thorough = case, thorough
        self.left = {m.name: m for m in mutants}
        self.now = ""

    def start(self) -> Connection:
        """Begin the process, and give the end of the pipe on which it tells."""
        reading, writing = multiprocessing.get_context("fork").Pipe(duplex=False)
        self.now = ""
        self.process = multiprocessing.get_context("fork").Process(
            target=_work, args=(self.case, list(self.left.values()), writing, self.thorough)
        )
        self.process.start()
        writing.close()
        return reading

    def read(self, pipe: Connection, found: Run) -> bool:
        """Take in what the process tells next; False when it has ended."""
        try:
            name, told = pipe.recv()
        except EOFError:
            self.process.join()
            pipe.close()
            if self.now:
                self._note(found, self.now, CatchResult(True, True, "crashed: the process ended"))
                del self.left[self.now]
            else:
                if self.process.exitcode:
                    found.broken.setdefault(self.case.id, "its process ended before any mutant")
                self.left = {}
            return False
        if isinstance(told, frozenset):
            found.operators[self.case.id] = told
        elif isinstance(told, str):
            found.broken[self.case.id] = told
        elif told is None:
            self.left.pop(self.now, None)
            self.now = name
        else:
            self._note(found, name, told)
        return True

    def _note(self, found: Run, name: str, verdict: CatchResult) -> None:
        tally = found.tallies[name]
        tally.tried += 1
        if verdict.reached:
            tally.reached.append(self.case.id)
        if verdict.caught:
            tally.caught[self.case.id] = verdict.said
        if verdict.trouble:
            tally.trouble[self.case.id] = verdict.trouble


def _work(case: Case, mutants: Sequence[Mutant], pipe: Connection, thorough: bool) -> None:
    """Put ``mutants`` to ``case`` and tell of each; nothing that a program prints is seen."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, sys.stdout.fileno())
    os.dup2(quiet, sys.stderr.fileno())
    try:
        for message in put_to(case, mutants, thorough):
            pipe.send(message)
        pipe.send(("", None))
    except Exception as e:
        pipe.send(("", f"{type(e).__name__}: {e}"[:300]))
    pipe.close()


@functools.cache
def _warm_up() -> None:
    """What takes long once in a process is done before it is forked."""
    import torch.export

    class Warm(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.cond(x.sum() > 0, lambda x: x + 1, lambda x: x - 1, (x,))

    torch.export.export(Warm(), (torch.ones(3),)).module()(torch.ones(3))
    Warm()(torch.ones(3))
