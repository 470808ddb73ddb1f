"""Runs a program statement by statement in eager, at several sizes at once.

Owns what makes a statement valid: it raises at none of the points, and what it leaves behind is
small, finite in number and not all NaN. Which statement is tried is left to ``holes``. Whole
programs are run as well: a cheap look before a capture.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import signal
import sys
import types
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from unittest import mock

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.program import as_inputs

#: Elements that all tensors of one value may have, and how large a number may get: beyond this the
#: order of a sum shows.
LARGEST, HIGHEST = 20_000, 1e6
#: Seconds of the processor for the look at a whole program: what is left of a loop may have no end.
LOOK = 2.0
#: What a program imports; a name that it does not use is left out of its text.
IMPORTS = ("collections", "contextlib", "copy", "dataclasses", "functools", "itertools", "math",
           "operator", "types", "typing", "warnings")  # fmt: skip


class PartialProgram:
    """A program as far as it goes, run at each of ``points``: sizes by name, and a seed.

    ``environments`` are the local variables of ``forward`` at each point.
    """

    def __init__(self, header: str, points: Sequence[Mapping[str, int]]) -> None:
        self._header, self._points = header, points
        self._kept: list[Statement] = []
        self.environments: list[dict[str, Any]] = []
        self._begin()

    def _begin(self) -> None:
        self.environments = []
        for draw, point in enumerate(self._points):
            space = fresh_space(f"generated{draw}")
            run(_IMPORTING, space)
            seed(draw)
            run(self._header, space)
            space |= space.pop("named")(**point)
            space["self"] = torch.nn.Module()
            self.environments.append(space)

    def take(self, statement: Statement) -> bool:
        """Run one more statement; whether it is kept. What it did otherwise is undone."""
        if self._ran_everywhere(statement):
            self._kept.append(statement)
            return True
        kept, self._kept = self._kept, []
        self._begin()
        with uncompiled():
            for before in kept:
                for space in self.environments:
                    self._ran(before, space)
        self._kept = kept
        return False

    def _ran_everywhere(self, statement: Statement) -> bool:
        first, *others = self.environments
        with uncompiled():
            if not all(self._ran(statement, space) for space in others):
                return False
        return self._ran(statement, first)  # compiles, so it comes when all else is well

    def _ran(self, statement: Statement, space: dict[str, Any]) -> bool:
        with warnings.catch_warnings(), contextlib.redirect_stdout(None):
            warnings.simplefilter("ignore")
            try:
                seed(7)
                run("\n".join(statement.top + statement.init), space)
                run("\n".join(statement.body), space)
            except Exception:
                return False
        new = [space[v] for v in statement.new if v in space]
        old = [value for value in space.values() if isinstance(value, torch.Tensor)]
        # The variance of one value is NaN, and may be told from nought there.
        informative = space is self.environments[0]
        return all(fits(value, informative) for value in (*new, *old))

    def value(self, expression: str, point: int = 0) -> Any:
        """What an expression of local variables is at a point."""
        return eval(expression, self.environments[point])


def seed(number: int) -> torch.Generator:
    """Where the random numbers of the CPU begin: ``torch.manual_seed`` asks every accelerator, and
    takes longer than most statements."""
    return torch.default_generator.manual_seed(number)


@contextlib.contextmanager
def uncompiled() -> Iterator[None]:
    """Within it ``torch.cond`` and its like run as they are: eager compiles them first, which looks
    at the branches, as is needed once, and takes a hundred times as long. ``scan``, which as it is
    takes a single value to carry, is the loop that torch's own tests compare it with, if there."""
    operators = torch._higher_order_ops
    module = importlib.import_module("torch._higher_order_ops.scan")  # the function has its name
    loop = getattr(module, "_fake_scan", operators.scan)
    with torch.compiler.set_stance("force_eager"), mock.patch.object(operators, "scan", loop):
        yield


def fresh_space(name: str) -> dict[str, Any]:
    """The global names of a module that can be imported: TorchDynamo looks up there what a branch
    takes from around it. It keeps the module, so the one of that name is emptied and used again."""
    space = vars(sys.modules.setdefault(name, types.ModuleType(name)))
    space.clear()
    space["__name__"] = name
    return space


def run(text: str, space: dict[str, Any]) -> None:
    """Execute lines of a program as they will be in a file of their own: annotations are no texts
    there, as they are here."""
    exec(_compiled(text), space)


@functools.lru_cache(256)
def _compiled(text: str) -> types.CodeType:
    """Asked for at each of the points."""
    return compile(text, "<generated>", "exec", dont_inherit=True)


_IMPORTING = "\n".join(f"import {name}" for name in ("torch", *IMPORTS))


class Statement(types.SimpleNamespace):
    """Lines of ``forward`` (``body``), of ``__init__`` and of the top of the file that belong
    together; ``new`` are the local variables that it makes, ``element`` is what it is of. Of an
    element whose parts need each other it is several of Python's statements."""

    body: list[str]
    init: list[str]
    top: list[str]
    new: list[str]
    element: str

    @property
    def length(self) -> int:
        """How many statements of ``forward`` it is; what stands within one does not count."""
        return len(ast.parse("\n".join(self.body)).body)


def fits(value: Any, informative: bool = True) -> bool:
    """Whether a value is one that a program may compute with and give back; all NaN only where it
    need not be ``informative``."""
    try:
        leaves = pytree.tree_leaves(value)
    except Exception:
        return False
    return all(_fits(leaf, informative) for leaf in leaves)


def _fits(leaf: Any, informative: bool) -> bool:
    if isinstance(leaf, torch.Tensor):
        if leaf.layout is not torch.strided or leaf.numel() > LARGEST:
            return False
        if leaf.numel() == 0 or not (leaf.is_floating_point() or leaf.is_complex()):
            return True  # whole numbers are exact in whatever order they are added
        # A tensor of NaN alone hides whatever is done to it; infinities may be meant.
        known = leaf.detach()[~leaf.isnan()]
        if known.numel() == 0:
            return not informative
        finite = known.abs() if leaf.is_complex() else known.double().abs()
        return bool((finite[finite != float("inf")] < HIGHEST).all())
    if isinstance(leaf, int | float):
        return leaf != leaf or abs(leaf) < HIGHEST * 1e6 or abs(leaf) == float("inf")
    if isinstance(leaf, str | complex | None | torch.dtype | torch.Size | slice | range):
        return not isinstance(leaf, str) or len(leaf) < 100
    return not callable(leaf) or isinstance(leaf, type(None))


def returnable(value: Any) -> bool:
    """Whether a value may be an output: tensors and numbers in containers that pytree knows."""
    leaves: Iterable[Any] = pytree.tree_leaves(value)
    return all(isinstance(leaf, torch.Tensor | int | float | bool | None) for leaf in leaves)


def runs(texts: Sequence[str], compiled: bool = False) -> list[bool]:
    """Whether eager runs each of these cases on its example: a cheap look before a capture.
    ``torch.cond`` and its like run as they are, unless they are to be ``compiled``."""
    torch.set_num_threads(1)
    with contextlib.nullcontext() if compiled else uncompiled():
        return [_runs(text) for text in texts]


def _runs(text: str) -> bool:
    space = fresh_space("candidate")
    with warnings.catch_warnings(), contextlib.redirect_stdout(None):
        warnings.simplefilter("ignore")
        try:
            with _stopped_after(LOOK):
                run(text, space)
                args, kwargs = as_inputs(space["inputs"]())
                space["Model"]()(*args, **kwargs)
        except Exception:
            return False
    return True


@contextlib.contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """Raises TimeoutError within it when this process has used so much of the processor."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    # More than once: where an exception cannot be raised, as in __del__, it is left out.
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
