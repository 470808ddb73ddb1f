"""L053: samples that come out differently each time they are built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    from exportdb.conformance.lint.subject import inputs_differ

    program, case = subject.program, subject.case
    try:
        pairs = [("inputs", program.build(), program.build())]
        for role in ("accepts", "rejects"):
            once, again = list(program.own_samples(role)), list(program.own_samples(role))
            if len(once) != len(again):
                yield subject.line(role), f"{role}() yields {len(once)} samples, then {len(again)}"
            pairs += [(role, a, b) for a, b in zip(once, again, strict=False)]
    except Exception:
        return  # L051 says so
    for name, a, b in pairs:
        if different := inputs_differ(a, b, case):
            message = different[0].message.replace("output", "a sample", 1)
            text = message.replace("in eager", "once").replace("in capture", "the next time")
            yield subject.line(name), f"{name}() is not the same twice under one seed: {text}"
            return


CHECK = Check(
    id="L053",
    what="inputs(), accepts() and rejects() build the same samples every time under one seed.",
    why="A result that cannot be reproduced cannot be investigated.",
    fix="Draw from torch or Python's random; use no clock and no uninitialised memory.",
    on_program=_find,
)
