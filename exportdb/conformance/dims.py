"""What became of every size that a program asks to be dynamic, whoever captures it.

Owns what is said of the sizes of which a capture itself says nothing. A symbol is read by
``exportdb.symbolic.facts``; where there is none to read, the samples tell: what agrees with eager
where a size is another has not made a constant of it. Of what was refused nothing is known.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.eager import Expected
from exportdb.conformance.evidence import Evidence
from exportdb.conformance.program import Inputs
from exportdb.records.record import SampleResult
from exportdb.symbolic.requested import RequestedSize, requests

_AGREES = ("agrees", "lossy")
#: What is said where the samples tell it, by whether the size was kept.
_TOLD = {True: "another size agrees", False: "no other size agrees", None: ""}


def asked_of(
    module: torch.nn.Module, inputs: Inputs, dynamic_shapes: Any
) -> Sequence[RequestedSize]:
    """The sizes that are asked to be dynamic; none of what is no ``dynamic_shapes`` for these."""
    with contextlib.suppress(Exception):
        return requests(module, *inputs, dynamic_shapes)
    return ()


def accounted(
    evidence: Evidence, asked: Sequence[RequestedSize], expected: Sequence[Expected]
) -> Evidence:
    """``evidence`` with what became of each size in ``asked``: those of which neither the capture
    nor the exporter tells are named in ``facts["display"]``, and all are counted."""
    facts, cost = evidence.details.facts, dict(evidence.cost)
    display = dict(facts.get("display", {}))
    told = {d["source"] for d in (*facts.get("dims", ()), *display.get("dims", ()))}
    counted, kept = cost.get("dims_asked", 0), cost.get("dims_kept", 0)
    rest = [] if counted and not told else [r for r in asked if r.source not in told]
    if not rest:
        return evidence
    found = [_kept(r, evidence.results, expected) for r in rest]
    named = [
        {"source": r.source, "asked": r.asked, "kept": k, "value": _TOLD[k]}
        for r, k in zip(rest, found, strict=True)
    ]
    display["dims"] = [*display.get("dims", ()), *named]
    unknown = found.count(None)
    cost["dims_asked"] = counted + len(rest)
    if unknown < cost["dims_asked"]:
        cost["dims_kept"] = kept + found.count(True)
    if unknown:
        cost["dims_unknown"] = unknown
    details = replace(evidence.details, facts={**facts, "display": display})
    return replace(evidence, details=details, cost=cost)


def _kept(
    size: RequestedSize, results: Sequence[SampleResult], expected: Sequence[Expected]
) -> bool | None:
    """Whether the capture takes another size than the example's, as its samples tell; None where
    they do not: it disagrees with the example itself, or none has another size."""
    if not results or results[0].result not in _AGREES:
        return None
    inputs = {e.sample.name: e.inputs[0] for e in expected if e.inputs}
    example = inputs.get(results[0].name)
    tried = [
        r.result in _AGREES
        for r in results[1:]
        if r.role == "accepts" and r.result in (*_AGREES, "raised", "disagrees")
        and _differs(size, example, inputs.get(r.name))
    ]  # fmt: skip
    return any(tried) if tried else None


def _differs(size: RequestedSize, example: Inputs | None, other: Inputs | None) -> bool:
    """Whether a size is another one in ``other``, which has all that the example has."""
    if example is None or other is None:
        return False
    (one, spec), (two, others) = pytree.tree_flatten(example), pytree.tree_flatten(other)
    with contextlib.suppress(Exception):  # a class that has its own idea of a size
        return spec == others and bool(_value(size, one) != _value(size, two))
    return False


def _value(size: RequestedSize, leaves: Sequence[Any]) -> Any:
    leaf = leaves[size.leaf]
    return leaf if size.dim is None else leaf.shape[size.dim]
