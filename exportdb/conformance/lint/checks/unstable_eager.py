"""L054: a program that does not do the same twice in eager."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    from exportdb.conformance import agreement
    from exportdb.conformance.difference import Rules

    for model in subject.case.meta.models:
        try:
            inputs = subject.program.build()
            once, again = subject.run(inputs, model), subject.run(inputs, model)
        except Exception:
            return  # L051 says so
        if once.exception is not None or again.exception is not None:
            return
        if different := agreement.differences(once, again, Rules(subject.case.meta.tolerance)):
            message = different[0].message.replace("in eager", "once")
            text = message.replace("in capture", "the next time")
            yield subject.line(model), f"{model} is not the same twice under one seed: {text}"


CHECK = Check(
    id="L054",
    what="The program does the same twice on the example, under one seed.",
    why="Nothing can agree with a program that does not agree with itself.",
    fix="Draw random numbers from torch or Python's random; keep clocks and addresses out.",
    on_program=_find,
)
