"""The words of this package: a call run wrongly as a whole, an operator run by something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from detection.captures import once
from detection.graphs import Call, bound, graphs_of
from detection.kind import Kind
from detection.mutant import Hit, NothingToBreak, When, always
from detection.operators import name_of
from exportdb.exporters.protocol import Program

#: Runs one call wrongly: takes the program, ``hit``, what is kept of it, args and kwargs.
Run = Callable[[Program, Hit, dict[Any, Any], tuple[Any, ...], dict[str, Any]], Any]


def every_call(
    kind: Kind, says: str, base: str = "eager", when: When = always, needs: str = "",
    words: str = "",
) -> Callable[[Run], None]:  # fmt: skip
    """A capture that runs each call through the function; it has a dict of its own to keep."""

    def add(run: Run) -> None:
        def make(program: Program, hit: Hit) -> Any:
            kept: dict[Any, Any] = {}
            return lambda *args, **kwargs: run(program, hit, kept, args, kwargs)

        kind.call(says, make, when, base, needs, words=words)

    return add


def instead(kind: Kind, names: str, says: str) -> Callable[[Callable[[Call, Any], Any]], None]:
    """An exported graph in which the operators ``names`` never run: ``wrong(call, kept)`` does.

    For operators that draw or write, of which a right result beside the wrong one would be one
    draw or write too many. ``kept`` lives as long as the capture; None leaves the call as it is.
    """

    def add(wrong: Callable[[Call, Any], Any]) -> None:
        def make(program: Program, hit: Hit) -> Any:
            module, kept, found = once(program).module(), dict[Any, Any](), 0

            def running(func: Any) -> Any:
                def run(*args: Any, **kwargs: Any) -> Any:
                    call = bound(func, args, kwargs)
                    new = wrong(call, kept)
                    if new is None:
                        return call()
                    hit()
                    return new

                return run

            for graph in graphs_of(module):
                for node in graph.graph.nodes:
                    if name_of(node.target) in names.split():
                        node.target, found = running(node.target), found + 1
                graph.recompile()
            if not found:
                raise NothingToBreak
            return module

        kind.call(says, make, base="export", lowers=names)

    return add


def swapped(kind: Kind, says: str, name: str, wrong: Callable[..., Any]) -> None:
    """A capture in which the function ``name`` that a program imported is ``wrong(sound, ...)``.

    For operators that tracing takes apart, so that no graph has them.
    """

    @every_call(kind, says, needs=name)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        scopes = [type(m).forward.__globals__ for m in program.module.modules()]
        found = [(scope, scope[name]) for scope in scopes if name in scope]
        for scope, sound in found:
            scope[name] = lambda *a, _s=sound, **k: (hit(), wrong(_s, *a, **k))[1]
        try:
            return program.module(*args, **kwargs)
        finally:
            for scope, sound in reversed(found):
                scope[name] = sound
