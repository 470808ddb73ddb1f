"""L058: a program that reads data without saying so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    if "values" not in subject.case.meta.requires and (reason := fails_on_meta(subject)):
        line = subject.case.lines.get("requires", subject.case.program_line)
        yield line, f"eager fails on the meta device: {reason}"


def fails_on_meta(subject: Subject) -> str | None:
    """Why the program fails on tensors without data, or None if it does not.

    None too for a program that fails in eager anyway: that is another check's business.
    """
    from exportdb.conformance.errors import one_line

    try:
        sound = all(subject.run(i, m).exception is None
                    for m in subject.case.meta.models for _, i in subject.accepted())  # fmt: skip
    except Exception:
        return None
    if not sound:
        return None
    try:
        twin = subject.on_meta()
        for model in subject.case.meta.models:
            for _, inputs in twin.accepted():
                if error := twin.run(inputs, model).exception:
                    return one_line(error)
    except Exception as e:
        return one_line(e)
    return None


CHECK = Check(
    id="L058",
    what="A program whose eager run fails on meta tensors says `requires: [values]`.",
    why="Where tensors hold no data the case is unavailable, which is not the exporter's failure.",
    fix="Add `requires: [values]`.",
    on_program=_find,
    advises=True,
)
