"""What a diagnosis found, as data and as text; and the one call that makes it.

Owns the order of a diagnosis and its wording. Trying is left to ``search``, making small to
``minimise``, explaining an error to ``exportdb.explain``.
"""

from __future__ import annotations

import difflib
import os
import textwrap
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from exportdb.diagnose.change import OF_EXAMPLE, OF_SOURCE
from exportdb.diagnose.minimise import small_program
from exportdb.diagnose.origin import FileOrigin, Origin, OriginError, file_origin, pickled
from exportdb.diagnose.pointing import assumptions
from exportdb.diagnose.program import ChangedProgram
from exportdb.diagnose.search import Attempt, Budget, Search
from exportdb.diagnose.watch import PARTS, DiagnosisWatch, Stopwatch, Unwatched
from exportdb.diagnose.wording import entry_of, explanation, not_fixed, told, user_line
from exportdb.executors import open_executor
from exportdb.plugins import DEVICES, EXPORTERS, PluginRef, find
from exportdb.prose import plural
from exportdb.records.outcome import Outcome
from exportdb.runner.warm import warm_workers


@dataclass(frozen=True)
class DiagnosisOptions:
    """What a diagnosis may do: ``minimise`` asks for a small program.

    ``seconds`` bounds the search for a change, and again the way to a small program. What comes
    before, starting and examining the program as it is, takes what it takes.
    """

    exporters: tuple[PluginRef, ...]
    device: PluginRef
    jobs: int
    seconds: float = 60.0
    minimise: bool = False
    home: Path | None = None


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong with a user's module, exporter by exporter, and what fixes it.

    ``before`` are the program's attempts unchanged, ``fixed`` the attempt that was supported after
    changes, or else one that is right on all it has to take (None if there is none or none was
    needed), ``after`` the changed program with the other
    exporters. ``small`` is the small program
    as a case, ``finished`` whether nothing smaller was left to try. ``spent`` are the seconds of
    each part, see :data:`exportdb.diagnose.watch.PARTS`.
    """

    before: tuple[Attempt, ...]
    fixed: Attempt | None
    after: tuple[Attempt, ...] = ()
    tried: int = 0
    out_of_time: bool = False  # the search for a change ended before all was tried
    seconds: float = 0.0
    small: str | None = None
    finished: bool = True
    spent: Mapping[str, float] = field(default_factory=dict)

    @property
    def supported(self) -> bool:
        """Whether every exporter asked for captures the module as it is."""
        return all(a.faultless for a in self.before)

    @property
    def diff(self) -> str:
        """The change to paste: of the file's text, and of its ``dynamic_shapes``."""
        if self.fixed is None:
            return ""
        first, fixed = self.before[0], self.fixed
        name = first.program.origin.path.name
        old, new = first.program.source.splitlines(), fixed.program.text.splitlines()
        source = list(difflib.unified_diff(old, new, name, name, lineterm=""))
        for path, text in fixed.program.others.items():
            name, old = Path(path).name, Path(path).read_text().splitlines()
            source += difflib.unified_diff(old, text.splitlines(), name, name, lineterm="")
        # Of what stands wrongly in dynamic_shapes, only the new text is worth showing.
        shapes = fixed.seen.shapes if _reshaped(fixed) else ()
        known = not first.seen.misfits and first.seen.shapes not in (
            shapes, ("dynamic_shapes = None",),
        )  # fmt: skip
        before = first.seen.shapes if known else ()
        shaped = list(difflib.ndiff(before, shapes)) if shapes else []
        warm = [c for c in fixed.program.changes if c.kind == "warm"]
        called = [
            "+ module(*args, **kwargs)  # once, before the capture"
            + "".join(f", with {name}={size}" for name, size in c.data.get("sizes", ()))
            for c in warm
        ]
        shaped = [line for line in shaped if not line.startswith("?")]
        return "\n".join([*source, *shaped, *called])

    def as_json(self) -> dict[str, Any]:
        """All of it as JSON-ready data."""
        fixed = self.fixed and {
            "exporter": self.fixed.exporter.name, "changes": self.fixed.whats,
            "excludes": self.fixed.excludes, "diff": self.diff,
            "record": self.fixed.record.to_json(),
        }  # fmt: skip
        return {
            "supported": self.supported,
            "before": [
                {"record": a.record.to_json(), "file": user_line(a)[0], "line": user_line(a)[1],
                 "assumed": [{"file": file, "line": line, "text": text}
                             for line, text, _, file in assumptions(a.seen)],
                 "entry": (entry.id if (entry := entry_of(a)) else None),
                 "explained": (found.as_json() if (found := explanation(a)) else None)}
                for a in self.before
            ],
            "fixed": fixed,
            "after": [a.record.to_json() for a in self.after],
            "untaken": list(self.untaken),
            "tried": self.tried,
            "out_of_time": self.out_of_time,
            "seconds": round(self.seconds, 3),
            "spent": {part: round(seconds, 3) for part, seconds in self.spent.items()},
            "small": self.small,
            "small_finished": self.finished,
        }  # fmt: skip

    @property
    def took(self) -> str:
        """How much was examined, and where the time went."""
        parts = [f"{seconds:.0f} s {PARTS[name]}" for name, seconds in self.spent.items()]
        whole = f"{plural(self.tried, 'program')} examined in {self.seconds:.0f} s"
        return f"{whole}: {', '.join(parts)}" if parts else whole

    @property
    def untaken(self) -> tuple[str, ...]:
        """Sides of branches of the program that no sample took, in words."""
        return self.before[0].record.untaken

    def __str__(self) -> str:
        lines = [self.before[0].program.id]
        known: set[str] = set()
        for attempt in self.before:
            lines += ["", *told(attempt, known)]
        if self.untaken:
            lines += ["", "not tested, because no sample goes there:"]
            lines += [f"  {said}" for said in self.untaken]
        lines += ["", *self._fix()]
        if self.small is not None:
            end = "" if self.finished else " (stopped for time; the next call goes on)"
            lines += ["", f"a small program that fails in the same way{end}:", "", self.small]
        return "\n".join(lines)

    def _fix(self) -> list[str]:
        if self.supported:
            return ["nothing to fix"]
        if all(a.runs_nowhere for a in self.before):
            return ["nothing was tried: the program has to run in eager first"]
        if self.fixed is None:
            bad = next(a for a in self.before if not a.faultless)
            return not_fixed(bad, self.tried, self.out_of_time, self.small is not None)
        record = self.fixed.record
        examined = f"examined with {record.exporter} on {len(record.samples)} samples:"
        lines = [f"what fixes it, {examined}"]
        if not self.fixed.faultless:
            outcome = Outcome(record.outcome)
            lines = [f"what comes nearest is {outcome}, {outcome.meaning}; {examined}"]
            lines += [
                f"  {s.role} {s.name}: {s.result}: {s.message}"
                for s in record.samples
                if s.counts_against
            ][:3]
        lines += [f"  - {what}" for what in self.fixed.whats]
        lines += [f"  what it no longer takes: {e}" for e in self.fixed.excludes]
        lines += ["", textwrap.indent(self.diff, "  ")] if self.diff else []
        lines += [f"  with {a.exporter.name}: {a.record.outcome}" for a in self.after]
        return lines


def _reshaped(attempt: Attempt) -> bool:
    return any(c.kind not in (*OF_SOURCE, *OF_EXAMPLE) for c in attempt.program.changes)


def diagnose(
    module: Any,
    args: Sequence[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    exporters: Iterable[str] = ("export",),
    device: str = "cpu",
    seconds: float = 60.0,
    minimise: bool = False,
    watch: Callable[[Attempt], None] = lambda attempt: None,
) -> Diagnosis:
    """Find what is wrong with the capture of ``module``, and a change that fixes it.

    ``module`` is a ``torch.nn.Module`` with its example ``args``, ``kwargs`` and
    ``dynamic_shapes``, or ``"path/to/file.py:make"``, a function that returns those four. Every
    capture is made in a process of its own; ``seconds`` bounds the search for a change, and with
    ``minimise`` again the way to a small program. ``watch`` is called with every attempt. Raises
    OriginError if there is no such module.
    """
    origin: Origin = (
        file_origin(module) if isinstance(module, str)
        else pickled(module, args, kwargs, dynamic_shapes)
    )  # fmt: skip
    asked = DiagnosisOptions(
        tuple(find(EXPORTERS, name) for name in exporters), find(DEVICES, device),
        os.cpu_count() or 1, seconds, minimise,
    )  # fmt: skip
    return diagnosed(origin, asked, _Told(watch))


class _Told(Unwatched):
    """A watch that hands on what was examined."""

    def __init__(self, told: Callable[[Attempt], None]) -> None:
        self._told = told

    def examined(self, attempt: Attempt) -> None:
        self._told(attempt)


def diagnosed(
    origin: Origin, asked: DiagnosisOptions, watch: DiagnosisWatch | None = None
) -> Diagnosis:
    """The diagnosis of what ``origin`` makes. Raises OriginError if its file cannot be read."""
    watch = watch or Unwatched()
    began, parts = time.monotonic(), Stopwatch(watch)
    program = ChangedProgram(origin, origin.source)
    names = [e.name for e in asked.exporters if e.ours] or ["export"]
    workers = warm_workers(["99", *names], asked.home, asked.jobs)
    with open_executor(workers) as executor:
        search = Search(executor, asked.device, watch=watch.examined, width=asked.jobs)
        with parts.part("start", f"starting torch, examining {program.id} as it is"):
            before = search.first(program, asked.exporters)
        for error in filter(None, (a.record.error for a in before)):
            if error.type == OriginError.__name__:  # raised where the module is made
                raise OriginError(error.message)
        found = _changed(search, before, asked, parts)
        failing = [a for a in _bad(before) if a.record.outcome != "error"]  # not in capture
        if asked.minimise and failing and isinstance(origin, FileOrigin):
            with parts.part("small", f"making {program.id} small", asked.seconds):
                text, done = small_program(
                    failing[0], search, asked.seconds, asked.home, watch.reduced
                )
            found = replace(found, small=text, finished=done)
    seconds = time.monotonic() - began
    return replace(found, tried=search.tried, seconds=seconds, spent=parts.spent)


def _bad(before: Iterable[Attempt]) -> list[Attempt]:
    """Those attempts at the program as it is for which a change is worth looking for."""
    return [
        a
        for a in before
        if not a.faultless and a.record.outcome != "unavailable" and not a.runs_nowhere
    ]


def _changed(
    search: Search, before: Sequence[Attempt], asked: DiagnosisOptions, parts: Stopwatch
) -> Diagnosis:
    """What was found so far, with the change that fixes it if there is one."""
    bad = _bad(before)
    if not bad:
        return Diagnosis(tuple(before), None)
    with parts.part("change", "looking for a change", asked.seconds):
        fixed = search.fix(bad[0], Budget(seconds=asked.seconds))
    others = [e for e in asked.exporters if fixed and e.target != fixed.exporter.target]
    after: list[Attempt] = []
    if fixed and others:
        with parts.part("others", "examining the change with the other exporters"):
            after = search.first(fixed.program, others)
    return Diagnosis(tuple(before), fixed, tuple(after), out_of_time=search.out_of_time)
