"""``torch.compile``: one graph of the whole program, compiled when it is first called.

Owns how Dynamo is asked (which sizes are dynamic, whether graph breaks are allowed) and how its
graphs are counted. A capture is a first call, on a copy of the example, so that what cannot be
captured is refused there. What was compiled is then forgotten: a user's first call compiles, and
may do what no later call does, so the first call that is compared has to compile too. Sizes that
``dynamic_shapes`` declares are marked with their ranges in both, as a user would mark them: a graph
compiled anew for a size in range makes the result ``degraded``.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import importlib
import logging
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from exportdb.exporters.protocol import Artifact, Exporter, Program

#: Dynamo gives up on a function that it compiled more often; samples out of range count, too.
LIMIT = 64


class AotEager(Exporter):
    """Dynamo and AOTAutograd, the graph run by eager operators."""

    name = "aot-eager"
    description = 'torch.compile(backend="aot_eager", fullgraph=True), declared sizes dynamic'
    lacks = frozenset({"fake"})  # it runs what it compiles
    advances_state = True
    default = False
    backend: ClassVar[str] = "aot_eager"
    arguments: ClassVar[dict[str, Any]] = {"fullgraph": True}
    #: Settings of torch, by the module under ``torch`` whose ``config`` has them.
    settings: ClassVar[dict[str, dict[str, Any]]] = {}

    def capture(self, program: Program) -> Artifact:
        import torch
        from torch._dynamo.utils import counters

        torch._dynamo.reset()
        counters.clear()
        logging.getLogger("torch._dynamo").setLevel(logging.ERROR)  # recompilations are counted
        tally = _CountingBackend(torch._dynamo.lookup_backend(self.backend), self.backend)
        compiled = torch.compile(program.module, backend=tally, **self.arguments)

        def call(*args: Any, **kwargs: Any) -> Any:
            if tally.begins() and self.arguments.get("dynamic") is None:
                mark_dynamic(program, args, kwargs)
            with configured(_DYNAMO, self.settings):
                return compiled(*args, **kwargs)

        args, kwargs = copy.deepcopy((program.args, dict(program.kwargs)))
        with tally.watching(args, kwargs) as inputs_of_graphs:
            call(*args, **kwargs)
        dims = _kept(program, args, kwargs, inputs_of_graphs)
        # Where Dynamo goes on behind a break, and functions it left to Python as a whole.
        skipped = counters["frames"]["total"] - counters["frames"]["ok"]
        breaks = len(counters["resumes"]) + max(0, skipped)
        graphs = tally.graphs
        torch._dynamo.reset()
        tally.begin_again()
        return Artifact(
            call=call,
            graphs=max(1, graphs),  # a program without operators needs none
            facts={"display": {"dims": dims}},
            readable="\n".join(tally.texts),
            cost={
                "nodes": tally.nodes,
                "guards": tally.guards,
                "symbols": tally.symbols,
                "graphs": graphs,
                "graph_breaks": breaks,
                **(
                    {"dims_asked": len(dims), "dims_kept": sum(d["kept"] for d in dims)}
                    if dims
                    else {}
                ),
            },
            compiled=lambda: max(graphs, tally.graphs),  # those of the capture are compiled again
        )


class AotEagerTrain(AotEager):
    """Forward and backward through AOTAutograd's joint graph, gradients compared in every case."""

    name = "aot-eager-train"
    extends = "aot-eager"
    description = "as aot-eager, with the backward: gradients are compared in every case"
    differentiates = True


class Inductor(AotEager):
    """The default backend: loops in C++ (or Triton), compiled and loaded."""

    name = "inductor"
    description = 'torch.compile(backend="inductor", fullgraph=True), declared sizes dynamic'
    timeout_factor = 4.0
    backend = "inductor"
    settings: ClassVar[dict[str, dict[str, Any]]] = {
        # No pool of compiling processes: an examination is a process already. The graph cache is
        # keyed by the lowered graph; AOTAutograd's looks at less of the program, so it is off.
        # Its own random numbers would be right and different; what eager draws can be compared.
        "_inductor": {
            "compile_threads": 1,
            "fx_graph_cache": True,
            "fx_graph_remote_cache": False,
            "fallback_random": True,
        },
        "_functorch": {"enable_autograd_cache": False},
    }

    def unusable(self) -> str | None:
        return no_compiler()


class InductorBreaks(Inductor):
    """``torch.compile`` as it is called by default: what cannot be captured is left to Python."""

    name = "inductor-breaks"
    extends = "inductor"
    description = 'torch.compile(backend="inductor"), graph breaks allowed'
    warm_with = "inductor"
    arguments: ClassVar[dict[str, Any]] = {"fullgraph": False}


class DynamoUnspec(AotEager):
    """Dynamo alone, with no number or size taken for a constant unless the program forces it."""

    name = "dynamo-unspec"
    description = (
        'torch.compile(backend="eager", fullgraph=True, dynamic=True), ints not specialised'
    )
    backend = "eager"
    arguments: ClassVar[dict[str, Any]] = {"fullgraph": True, "dynamic": True}
    settings: ClassVar[dict[str, dict[str, Any]]] = {
        "_dynamo": {"specialize_int": False, "specialize_float": False},
    }


def no_compiler() -> str | None:
    """Why Inductor cannot compile for the CPU here, or None."""
    import os

    asked = os.environ.get("CXX")
    if any(shutil.which(name) for name in ([asked] if asked else ["g++", "clang++", "c++"])):
        return None
    return f"there is no C++ compiler ({asked or 'g++ or clang++'} on PATH, or set CXX)"


def mark_dynamic(program: Program, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
    """Mark the sizes of ``args`` and ``kwargs`` that the program declares to be dynamic."""
    import torch
    from torch.utils import _pytree as pytree

    from exportdb.symbolic.requested import hint_kind, requests

    leaves = pytree.tree_leaves((args, kwargs))
    for request in requests(program.module.forward, args, kwargs, program.dynamic_shapes):
        tensor = leaves[request.leaf]
        if request.dim is None or not isinstance(tensor, torch.Tensor):
            continue  # Dynamo has no mark for a number: it takes the first value for a constant
        if hint_kind(request.spec) == "AUTO":
            torch._dynamo.maybe_mark_dynamic(tensor, request.dim)
        elif request.ends in ((None, None), (0, None)):
            torch._dynamo.mark_dynamic(tensor, request.dim)
        else:  # both ends: given just one it fails
            low, high = request.ends
            high = sys.maxsize - 1 if high is None else high
            torch._dynamo.mark_dynamic(tensor, request.dim, min=low or 0, max=high)


def _kept(
    program: Program, args: Sequence[Any], kwargs: Mapping[str, Any], graphs: Sequence[_Inputs]
) -> list[dict[str, Any]]:
    """What became of each size that was asked to be dynamic, of the tensors that reach a graph.

    One that is a constant in any graph is not kept. Shown, never compared: a graph is compiled anew
    where a size has become a constant.
    """
    from exportdb.symbolic import facts
    from exportdb.symbolic.names import InputNames, input_names
    from exportdb.symbolic.requested import requests

    forward = program.module.forward
    names = input_names(forward, args, kwargs)
    asked = [r for r in requests(forward, args, kwargs, program.dynamic_shapes)
             if r.dim is not None]  # fmt: skip
    found: dict[str, facts.DimFact] = {}
    for graph in graphs:
        recording = facts.Recording(graph.shape_env, InputNames(names, names), graph.values)
        for dim in facts.of(recording, [r for r in asked if graph.values[r.leaf] is not None]).dims:
            if found.setdefault(dim.source, dim).kept:
                found[dim.source] = dim
    return [dataclasses.asdict(dim) for dim in found.values()]


@dataclass(frozen=True)
class _Inputs:
    """The input leaves of a program as one graph has them, None for those that do not reach it."""

    shape_env: Any
    values: Sequence[Any]


@dataclass(repr=False)
class _CountingBackend:
    """A backend that counts what goes through it; torch's messages name it by ``__name__``."""

    backend: Callable[..., Any]
    __name__: str
    graphs: int = 0
    called: bool = False
    nodes: int = 0
    guards: int = 0
    symbols: int = 0
    texts: list[str] = field(default_factory=list)
    watched: Sequence[Any] = ()
    inputs: list[_Inputs] = field(default_factory=list)

    def __call__(self, module: Any, inputs: Any, **options: Any) -> Any:
        self.graphs += 1
        self.nodes += sum(node.op.startswith("call") for node in module.graph.nodes)
        self._note_guards()
        self._note_inputs(module)
        if len(self.texts) < 8:
            self.texts.append(module.print_readable(print_output=False))
        return self.backend(module, inputs, **options)

    def begins(self) -> bool:
        """Whether this is asked for the first time, or the first since ``begin_again``."""
        begins, self.called = not self.called, True
        return begins

    def begin_again(self) -> None:
        """Count graphs from none, for a first call that is still to come."""
        self.called, self.graphs = False, 0

    @contextlib.contextmanager
    def watching(
        self, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Iterator[Sequence[_Inputs]]:
        """A context in which these inputs are looked for in graphs; what was found."""
        from torch.utils import _pytree as pytree

        self.watched = pytree.tree_leaves((args, kwargs))
        try:
            yield self.inputs
        finally:
            self.watched, self.inputs = (), []  # what is compiled later is about other inputs

    def _note_inputs(self, module: Any) -> None:
        """Keep which of the watched inputs are which inputs of a graph: Dynamo notes the tensor."""
        import torch
        from torch._guards import TracingContext

        context = TracingContext.try_get()
        if context is None or context.fake_mode is None or not self.watched:
            return
        fakes = {
            id(given.example): node.meta.get("example_value")
            for node in module.graph.find_nodes(op="placeholder")
            if isinstance(getattr(given := node.meta.get("grapharg"), "example", None),
                          torch.Tensor)
        }  # fmt: skip
        values = [fakes.get(id(leaf)) for leaf in self.watched]
        self.inputs.append(_Inputs(context.fake_mode.shape_env, values))

    def _note_guards(self) -> None:
        from torch._guards import TracingContext

        context = TracingContext.try_get()
        if context is None:
            return
        self.guards += len(context.guards_context.dynamo_guards)
        if context.fake_mode is not None and context.fake_mode.shape_env is not None:
            self.guards += len(context.fake_mode.shape_env.guards)
            self.symbols += len(context.fake_mode.shape_env.var_to_range)


@contextlib.contextmanager
def configured(*settings: Mapping[str, Mapping[str, Any]]) -> Iterator[None]:
    """A context in which torch has these settings, each by the module that has its ``config``."""
    with contextlib.ExitStack() as stack:
        for module, values in (item for s in settings for item in s.items()):
            config = importlib.import_module(f"torch.{module}.config")
            stack.enter_context(config.patch(dict(values)))
        yield


_DYNAMO = {"_dynamo": {"recompile_limit": LIMIT, "accumulated_recompile_limit": 4 * LIMIT}}
