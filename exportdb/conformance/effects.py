"""Where an effect of a call comes from that no operator of it shows: a thing stored in what the
caller holds, and a gradient.

Owns both ways to know the line. Like a first difference it explains an outcome and never makes one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.cases.case import Tolerance
from exportdb.conformance.first_difference import OperatorCall, Results, Watched
from exportdb.conformance.observing import named_tensors, plain

#: Nodes of a gradient that are followed at most.
NODES = 2000


class Stores:
    """Notes after which lines of ``file`` what a caller holds is no longer what it was.

    What a caller holds are the leaves of the inputs, or with ``state`` the parameters and buffers
    of the module that is called: which objects they are, and how often each was written to.
    """

    def __init__(self, file: str, state: bool = False) -> None:
        #: What changed, by its name where it is state, and the line after which it had.
        self.changes: set[tuple[str, int]] = set()
        self._file, self._state = file, state

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """``call``, of which every line is watched."""

        def watched(*args: Any, **kwargs: Any) -> Any:
            held, last = _held(owner or (args, kwargs)), 0

            def look() -> None:
                nonlocal held
                now = _held(owner or (args, kwargs))
                changed = (n for n in now.keys() | held.keys() if now.get(n) != held.get(n))
                self.changes.update((name, last) for name in changed)
                held = now

            def trace(frame: Any, _event: str, _arg: object) -> Any:
                nonlocal last
                if frame.f_code.co_filename != self._file:
                    return None
                look()
                last = frame.f_lineno
                return trace

            before = sys.gettrace()
            sys.settrace(trace)
            try:
                return call(*args, **kwargs)
            finally:
                sys.settrace(before)
                look()

        owner = call if self._state and isinstance(call, torch.nn.Module) else None
        return watched


def _held(by: Any) -> dict[str, Any]:
    if isinstance(by, torch.nn.Module):
        return {n: (id(t), getattr(t, "_version", 0)) for n, t in named_tensors(by).items()}
    leaves, structure = pytree.tree_flatten(by)
    return {"": (structure, [(id(leaf), getattr(leaf, "_version", 0)) for leaf in leaves])}


def stored(watch: Stores, eager: Watched, message: str) -> int:
    """The one line of the program that changes what a caller holds, that which a difference's
    ``message`` is about where it says so; 0 where there are several, for then nobody knows which of
    them a capture does not have."""
    eager(watch)
    meant = {line for name, line in watch.changes if name and message.startswith(f"{name} ")}
    lines = meant or {line for _, line in watch.changes}
    return next(iter(lines)) if len(lines) == 1 else 0


@dataclass(frozen=True)
class _GradientNode:
    """A node of autograd that ran: the results it passed on, and the line that made it."""

    step: OperatorCall
    own: bool


class Gradient:
    """Keeps what each node of autograd passes on when gradients of a call are taken."""

    def __init__(self, file: str | None = None) -> None:
        self.nodes: list[_GradientNode] = []
        self._frame = re.compile(rf'File "{re.escape(file)}", line (\d+)') if file else None

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """``call``, of whose gradient every node is kept."""

        def followed(*args: Any, **kwargs: Any) -> Any:
            with torch.autograd.set_detect_anomaly(True, check_nan=False):
                output = call(*args, **kwargs)
            for node in _nodes(output):
                node.register_hook(self._keeping(node))
            return output

        return followed

    def _keeping(self, node: Any) -> Callable[[Any, Any], None]:
        own = isinstance(node, torch.autograd.function.BackwardCFunction)
        line = self._line(node.metadata.get("traceback_", ()))

        def keep(passed: Any, _given: Any) -> None:
            made = tuple(t for t in passed if isinstance(t, torch.Tensor))
            results = tuple(plain(t).clone() for t in made)
            self.nodes.append(
                _GradientNode(OperatorCall(node.name(), (), made, results, True, line), own)
            )

        return keep

    def _line(self, frames: Sequence[str]) -> int | None:
        """The innermost line of the program's file among the ``frames`` that made a node."""
        found = self._frame.findall("".join(frames)) if self._frame else []
        return int(found[-1]) if found else None


def differentiated(
    wanted: Gradient, eager: Watched, captured: Watched, tolerance: Tolerance
) -> int:
    """The line that makes what a capture does not have of eager's gradient, 0 where it is not
    known: a function of the program's own whose backward is not there, or else the first node, from
    the outputs on, whose results are not.
    """
    got = Gradient()
    eager(wanted)
    captured(got)
    there = {node.step.operator for node in got.nodes}
    own = [n.step.line for n in wanted.nodes if n.own and n.step.operator not in there]
    results = Results([n.step for n in got.nodes], tolerance)
    missing = [n.step.line for n in wanted.nodes if not results.all_of(n.step)]
    return next((line for line in (*own[::-1], *missing) if line), 0)


def _nodes(output: Any) -> Iterator[Any]:
    """The nodes of autograd that made an output, each once."""
    leaves = [leaf for leaf in pytree.tree_leaves(output) if isinstance(leaf, torch.Tensor)]
    waiting = [leaf.grad_fn for leaf in leaves if leaf.grad_fn is not None]
    seen = set(waiting)
    while waiting and len(seen) < NODES:
        node = waiting.pop()
        yield node
        new = {before for before, _ in node.next_functions if before is not None} - seen
        seen |= new
        waiting.extend(new)
