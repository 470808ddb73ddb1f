"""Guards that are missing, or that refuse more than they should."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from detection import wrapping
from detection.captures import once
from detection.graphs import graphs_of
from detection.kind import Kind
from detection.mutant import Hit, NothingToBreak
from exportdb.exporters.protocol import Program

guards = Kind("guest: guards")


@guards.call("an exported module checks nothing", base="export")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module(check_guards=False)

    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        return module(*args, **kwargs)

    return run


@guards.call("assertions on values are left out", base="export")
def _(program: Program, hit: Hit) -> Any:
    module, found = once(program).module(check_guards=False), 0
    for graph in graphs_of(module):
        for node in list(graph.graph.nodes):
            called = str(node.target) if node.op == "call_function" else ""
            if "assert" in called and "metadata" not in called and not node.users:
                graph.graph.erase_node(node)
                found += 1
                hit()
        graph.recompile()
    if not found:
        raise NothingToBreak
    return module


def _refusing(refuses: Callable[[int, int], bool], said: str) -> Callable[[Program, Hit], Any]:
    """A capture that raises where the first size of an input is one that is refused, beside that of
    the example."""

    def make(program: Program, hit: Hit) -> Any:
        module = once(program).module()
        example = wrapping.tensors((program.args, program.kwargs))

        def run(*args: Any, **kwargs: Any) -> Any:
            given = wrapping.tensors((args, kwargs))
            if len(given) == len(example) and any(
                refuses(t.shape[0], e.shape[0])
                for t, e in zip(given, example, strict=False)
                if t.dim() == e.dim() and e.dim()
            ):
                hit()
                raise RuntimeError(said)
            return module(*args, **kwargs)

        return run

    return make


guards.call(
    "sizes much greater than the example's are refused",
    _refusing(lambda size, was: size > 4 * was + 16, "the size is above what was planned for"),
    base="export",
)
guards.call(
    "a size that is even in the example must be even",
    _refusing(lambda size, was: was % 2 < size % 2, "the size is not a multiple of two"),
    base="export",
)


@guards.call("sizes that are equal in the example must be equal", base="export")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module()
    example = wrapping.tensors((program.args, program.kwargs))

    def run(*args: Any, **kwargs: Any) -> Any:
        given = wrapping.tensors((args, kwargs))
        if len(given) == len(example):
            seen: dict[int, int] = {}
            for t, e in zip(given, example, strict=False):
                for size, was in zip(t.shape, e.shape, strict=False):
                    if seen.setdefault(was, size) != size:
                        hit()
                        raise RuntimeError("sizes are to be equal")
        return module(*args, **kwargs)

    return run


@guards.call("empty inputs are refused", base="export")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module()

    def run(*args: Any, **kwargs: Any) -> Any:
        if any(t.numel() == 0 for t in wrapping.tensors((args, kwargs))):
            hit()
            raise RuntimeError("an empty tensor")
        return module(*args, **kwargs)

    return run


guards.call("the number of dims is not asked again", wrapping.asking("dim", "ndim"))
guards.call(
    "what is asked of a tensor's values is answered as in the example",
    wrapping.asking("item", "__bool__", "__int__", "tolist"),
)
guards.call(
    "is_contiguous is answered as in the example", wrapping.asking("is_contiguous", "stride")
)
guards.call(
    "requires_grad is answered as in the example", wrapping.asking("requires_grad", "is_leaf")
)
