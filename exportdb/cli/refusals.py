"""What ``accept`` says of results that it refuses: a line for each reason, and the next commands.

Owns which results are said together. The command to repeat is given by who accepts.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import groupby

from exportdb.prose import plural
from exportdb.records.refused import Refused, Remedy
from exportdb.reports.words import folded

#: Cases that a proposed command names: nobody would paste more.
MOST_CASES = 12

#: The command that accepts these cases of this exporter again, as far as it goes.
Again = Callable[[Sequence[str], str], str]


def lines(refused: Sequence[Refused], under: str = "") -> Iterator[str]:
    """Every reason once, with whose results these are; ``under`` names switches."""
    for reason, alike in _grouped(refused, lambda r: r.reason):
        whose = _grouped(alike, lambda r: f"{r.record.exporter} · {r.record.device}{under}")
        named = [f"{_folded(group)} · {who}" for who, group in whose]
        if len(named) == 1:
            count = f" {plural(len(alike), 'result')}" if len(alike) > 1 else ""
            yield f"refused{count}: {named[0]}: {reason}"
        else:
            yield f"refused {plural(len(alike), 'result')}: {reason}"
            yield from (f"  {name}" for name in named)


def next_steps(
    refused: Sequence[Refused], again: Again, linked: Collection[str] = ()
) -> Iterator[str]:
    """What to run now, a command for each exporter and kind of reason.

    ``linked`` are exporters some of whose results have been accepted with a link of their own: they
    would lose it to a command that names no cases.
    """
    if any(r.remedy is Remedy.FIX for r in refused):
        yield "exportdb report  (says what the errors are; fix them, then run again)"
    for remedy in (Remedy.LINK, Remedy.REPEAT, Remedy.RUN):
        alike = [r for r in refused if r.remedy is remedy]
        for _, group in _grouped(alike, _linked_at_once if remedy is Remedy.LINK else _run_at_once):
            cases = _cases(group)
            count = plural(len(group), "result")
            if remedy is Remedy.LINK:
                exporter = group[0].record.exporter
                named = cases if len(cases) <= MOST_CASES else []
                what = f"or --note TEXT, for {count}"
                if exporter in linked and not named:
                    what += f"; also replaces the links that others of {exporter} have"
                yield f"{again(named, exporter)} --issue LINK  ({what})"
            elif command := _measured_again(group[0], cases[:MOST_CASES]):
                if remedy is Remedy.REPEAT:
                    command += " --repeat-run 10"
                if (left := len(cases) - MOST_CASES) > 0:
                    count = f"{MOST_CASES} of them, and {left} more"
                yield f"{command}  (then accept {count} again)"


def _linked_at_once(one: Refused) -> str:
    return one.record.exporter


def _run_at_once(one: Refused) -> str:
    return f"{one.record.exporter} {one.record.device}"


def _measured_again(one: Refused, cases: Sequence[str]) -> str:
    """The command that measures these cases as it measures ``one``; "" if that has none."""
    words = shlex.split(one.record.repro)
    if one.record.case in words:
        at = words.index(one.record.case)
        words[at : at + 1] = cases
    return shlex.join(words)


def _folded(refused: Sequence[Refused]) -> str:
    return folded(sorted({r.record.label for r in refused}))


def _cases(refused: Sequence[Refused]) -> list[str]:
    return sorted({r.record.case for r in refused})


def _grouped(
    refused: Sequence[Refused], key: Callable[[Refused], str]
) -> list[tuple[str, list[Refused]]]:
    return [(name, list(group)) for name, group in groupby(sorted(refused, key=key), key)]
