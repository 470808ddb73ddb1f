"""What a capture cost besides time: sizes of what was captured, and memory.

Owns the names under ``cost`` in a record. Seconds by phase are ``examine``'s; nothing here is ever
compared with an expectation.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from exportdb.exporters.protocol import Artifact

#: What is counted, by its names in a record; an exporter may count it itself. What is measured
#: anew each time, ``peak_mib`` and ``first_call``, it may not.
COUNTED = (
    "nodes", "guards", "symbols", "assertions", "graphs", "graph_breaks", "recompilations",
    "dims_asked", "dims_kept",
)  # fmt: skip
_STATUS, _CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def cost_of(artifact: Artifact, facts: Mapping[str, Any], recompilations: int) -> dict[str, float]:
    """What ``artifact`` and the facts read from it say of its size."""
    counts, dims = facts.get("counts", {}), facts.get("dims", ())
    counted = {
        "nodes": _nodes(artifact),
        "guards": counts.get("guards"),
        "symbols": counts.get("symbols"),
        "assertions": counts.get("runtime_assertions"),
        "graphs": artifact.graphs,
        "graph_breaks": 0,
        "recompilations": recompilations,
        "dims_asked": len(dims) or None,
        "dims_kept": sum(dim["kept"] for dim in dims) if dims else None,
        **artifact.cost,
    }
    return {name: count for name, count in counted.items() if count is not None}


def total(costs: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """The cost of several captures: memory is the largest, anything else is summed."""
    found: dict[str, float] = {}
    for name, value in (item for cost in costs for item in cost.items()):
        before = found.get(name, 0)
        found[name] = max(before, value) if name == "peak_mib" else before + value
    return found


class PeakMemory:
    """How far the process has grown since this was made; nothing where Linux does not say."""

    def __init__(self) -> None:
        with contextlib.suppress(OSError):
            _CLEAR.write_text("5")  # the high-water mark begins again
        self._before = _mib("VmRSS")

    def grown(self) -> dict[str, float]:
        """``peak_mib``, or nothing where it cannot be known."""
        peak = _mib("VmHWM")
        if self._before is None or peak is None:
            return {}
        return {"peak_mib": round(max(0.0, peak - self._before), 1)}


def _mib(field: str) -> float | None:
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return None
    found = (line.split() for line in lines if line.startswith(field + ":"))
    return next((int(words[1]) / 1024 for words in found), None)


def _nodes(artifact: Artifact) -> int | None:
    """The operations of the graph, those of graphs in it included."""
    program = artifact.exported_program
    module = artifact.graph_module if program is None else program.graph_module
    if not hasattr(module, "graph") or not hasattr(module, "modules"):
        return None
    graphs = [m.graph for m in module.modules() if hasattr(m, "graph")]
    return sum(node.op.startswith("call") for graph in graphs for node in graph.nodes)
