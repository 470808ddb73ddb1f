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
            problem = _begins(subject, other)
            same_state(subject, other)
            problem = problem or _compare(subject, other)
        except Exception as e:
            problem = f"cannot be compared: {one_line(e)}"
        if problem:
            yield line, f"{rewrite.id} {problem}"


def _begins(subject: Subject, other: Subject) -> str | None:
    """What is said of a buffer that both have, and that begins with other values in the rewrite:
    what both print would differ, though they agree as soon as they have the same state."""
    import torch

    before, after = _constant_buffers(subject), _constant_buffers(other)
    for name in sorted(before.keys() & after.keys()):
        mine, theirs = before[name], after[name]
        if (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype) and not torch.equal(
            mine, theirs
        ):
            return f"begins with other values in the buffer {name}"
    return None


def _constant_buffers(subject: Subject) -> dict[str, Any]:
    """The buffers of a new module that do not hang on the seed, by name."""
    import torch

    options = dataclasses.replace(subject.program.options, seed=subject.program.seed + 1)
    program = dataclasses.replace(subject.program, options=options)
    again = dict(program.model(subject.case.meta.models[0]).named_buffers())

    def constant(name: str, buffer: Any) -> bool:
        return (
            type(buffer) is torch.Tensor
            and type(again.get(name)) is torch.Tensor
            and buffer.layout is torch.strided
            and not buffer.is_meta
            and torch.equal(buffer, again[name])
        )

    return {name: b for name, b in subject.module().named_buffers() if constant(name, b)}


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
    what="A rewrite begins with the buffers of its original, and agrees with it in eager on every "
    "sample that both accept.",
    why="A rewrite that captures but computes something else is a trap.",
    fix="Correct the rewrite; if it differs on purpose it is a pitfall, or say why in `allow`.",
    on_program=_find,
)
