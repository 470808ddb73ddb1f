"""L052: a rewrite that does something else than its original."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject

#: A rewrite may keep its state and share its memory in another way than the original.
_FREE = ("state-mutation", "alias", "gradient", "stride")


def _find(subject: Subject) -> Found:
    from exportdb.conformance.lint.subject import Subject, one_line

    line = subject.case.lines.get("rewrites", 1)
    for rewrite in subject.rewrites:
        try:
            other = Subject(rewrite)
            same_state(subject, other)
            problem = _compare(subject, other)
        except Exception as e:
            problem = f"cannot be compared: {one_line(e)}"
        if problem:
            yield line, f"{rewrite.id} {problem}"


def _compare(subject: Subject, other: Subject) -> str | None:
    from exportdb.conformance import agreement

    compared = 0
    for name, inputs, others in _pairs(subject, other):
        original, rewritten = subject.run(inputs), other.run(others)
        if original.exception is not None or rewritten.exception is not None:
            continue  # not a sample that both accept
        compared += 1
        if others is not inputs:  # other inputs: what becomes of them cannot be compared
            original = dataclasses.replace(original, inputs=((), {}))
            rewritten = dataclasses.replace(rewritten, inputs=((), {}))
        found = agreement.differences(
            dataclasses.replace(original, state={}, gradients={}),
            dataclasses.replace(rewritten, state={}, gradients={}),
            subject.case.meta.tolerance,
        )
        for difference in found:
            if difference.kind not in _FREE:
                text = difference.message.replace("in capture", "in the rewrite")
                return (
                    f"differs on the sample {name}: {text.replace('in eager', 'in the original')}"
                )
    return None if compared else "accepts none of the samples of the original"


def _pairs(subject: Subject, other: Subject) -> Iterator[tuple[str, Any, Any]]:
    """Samples to give to both: the original's; where the rewrite takes other inputs, those that
    each builds from the same sizes under the same seed."""
    from exportdb.conformance.lint.subject import shape_of

    if shape_of(subject.program.build()) == shape_of(other.program.build()):
        for sample, inputs in subject.accepted():
            yield sample.name, inputs, inputs
        return
    shared = subject.program.dims.keys() & other.program.dims.keys()
    for sample, inputs in subject.accepted():
        if sample.role == "example" or (sample.sizes and sample.sizes.keys() == shared):
            sizes = {n: s for n, s in sample.sizes.items() if n in shared}
            yield sample.name, inputs, other.program.build(sizes)


def same_state(subject: Subject, other: Subject) -> None:
    """Give the rewrite's modules the parameters of the original where they have the same names."""
    values = subject.module().state_dict()
    make = other.module

    def module(model: str | None = None) -> Any:
        made = make(model)
        own = made.state_dict()
        if own.keys() == values.keys():
            made.load_state_dict(values)
        return made

    other.module = module  # type: ignore[method-assign]


CHECK = Check(
    id="L052",
    what="A rewrite agrees with its original in eager on every sample that both accept.",
    why="A rewrite that captures but computes something else is a trap.",
    mend="Correct the rewrite; if it differs on purpose it is a pitfall, or say why in `allow`.",
    on_program=_find,
)
