"""What an artifact shows of itself: its canonical graph, ranges, symbolic facts and findings.

Owns the order in which these are read. How a graph is printed is left to ``graph``, what the engine
recorded to ``exportdb.symbolic.facts``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from exportdb.conformance import graph
from exportdb.conformance.errors import one_line
from exportdb.conformance.program import Inputs
from exportdb.exporters.protocol import Artifact
from exportdb.records.text import lasting
from exportdb.symbolic import facts as symbolic_facts
from exportdb.symbolic.names import InputNames


@dataclass(frozen=True)
class CaptureDetails:
    """What an artifact shows of itself; findings are ID to message."""

    graph: str | None = None
    readable: str | None = None
    ranges: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    findings: Mapping[str, str] = field(default_factory=dict)


def describe(
    artifact: Artifact, module: torch.nn.Module, names: Sequence[str], inputs: Inputs,
    dynamic_shapes: Any, device: str,
) -> CaptureDetails:  # fmt: skip
    """The graph, ranges and facts of ``artifact``, as far as it offers them.

    ``names`` are the names of the input leaves, ``inputs`` the example it was captured with,
    ``device`` the name of the program's device.
    """
    exported, graph_module = artifact.exported_program, artifact.graph_module
    findings = dict(artifact.reports)
    text = artifact.graph_text
    own = torch.device(device).type
    facts: Mapping[str, Any] = artifact.facts or {}
    ranges = {k: (low, high) for k, (low, high) in facts.get("ranges", {}).items()}
    try:
        if exported is not None or graph_module is not None:
            # First of all: asking a graph about its sizes can itself record guards.
            read = symbolic_facts.read(
                exported if exported is not None else graph_module,
                forward=module, args=inputs[0], kwargs=inputs[1], dynamic_shapes=dynamic_shapes,
            )  # fmt: skip
            facts, ranges = read.to_json(), dict(read.ranges)
            findings |= dict(read.findings)
        if exported is not None:
            text = graph.canonical_program(
                exported, own, InputNames(names, graph.placeholders(exported))
            )
        elif isinstance(graph_module, torch.fx.GraphModule):
            text = graph.canonical_module(graph_module, own)
        readable = artifact.readable or graph.readable(exported, graph_module, artifact.graph_text)
    except Exception as e:  # a graph that cannot be printed is worth knowing, and no more
        findings["graph-unreadable"] = one_line(e)
        return CaptureDetails(findings=findings)
    text, readable = (t and lasting(t) for t in (text, readable))
    return CaptureDetails(text, readable, ranges, facts, findings)
