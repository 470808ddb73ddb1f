"""L052: a rewrite that does something else than its original."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject

#: A rewrite may keep its state and share its memory in another way than the original.
_FREE = ("state-mutation", "gradient")


def _find(subject: Subject) -> Found:
    from exportdb.conformance.errors import one_line
    from exportdb.conformance.lint.subject import Subject

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
    from exportdb.conformance.difference import Rules

    alike, samples = pairs(subject, other)
    compared = 0
    for name, inputs, others in samples:
        original, rewritten = subject.run(inputs), other.run(others)
        if original.exception is not None or rewritten.exception is not None:
            continue  # not a sample that both accept
        compared += 1
        if not alike:  # what becomes of other inputs cannot be compared
            original = dataclasses.replace(original, inputs=((), {}))
            rewritten = dataclasses.replace(rewritten, inputs=((), {}))
        found = agreement.differences(
            dataclasses.replace(original, state={}, gradients={}),
            dataclasses.replace(rewritten, state={}, gradients={}),
            Rules(subject.case.meta.tolerance),
        )
        for difference in found:
            if not difference.harmless and difference.kind not in _FREE:
                text = difference.message.replace("in capture", "in the rewrite")
                return (
                    f"differs on the sample {name}: {text.replace('in eager', 'in the original')}"
                )
    return None if compared else "accepts none of the samples of the original"


def pairs(subject: Subject, other: Subject) -> tuple[bool, Iterator[tuple[str, Any, Any]]]:
    """Whether both programs take the same inputs; samples by name, as either program takes them."""
    from exportdb.conformance.lint.subject import shape_of

    wanted = shape_of(other.program.build())
    alike = shape_of(subject.program.build()) == wanted
    own = [(s.name, inputs, inputs) for s, inputs in subject.accepted(tentative=True)]
    if alike or any(shape_of(inputs) == wanted for _, inputs, _ in own):
        return alike, iter(own)
    return False, _same_sizes(subject, other)


def _same_sizes(subject: Subject, other: Subject) -> Iterator[tuple[str, Any, Any]]:
    """What two programs with inputs of different kinds build from the same sizes and seed.

    Without sizes in common nothing says which of their samples belong together, but the examples.
    """
    yield "example", subject.program.build(), other.program.build()
    shared = subject.program.dims.keys()
    if shared and shared == other.program.dims.keys():
        for sample in subject.samples:
            if sample.role == "accepts" and sample.sizes:
                sizes = dict(sample.sizes)
                yield sample.name, subject.program.build(sizes), other.program.build(sizes)


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
    fix="Correct the rewrite; if it differs on purpose it is a pitfall, or say why in `allow`.",
    on_program=_find,
)
