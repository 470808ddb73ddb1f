"""Ways to break a capture as a whole: what goes in, what comes out, what a program asks a tensor.

Owns the wrappers around eager that several kinds of mutant share; the defects are in ``mutants``.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from detection.mutant import Features, Hit, Make
from exportdb.exporters.protocol import Program

#: A new value in place of one, or None to leave it as it is.
Change = Callable[[Any], Any]


def called(program: Program, given: Any) -> Any:
    """What eager gives for args and kwargs."""
    return program.module(*given[0], **given[1])


def outputs(change: Change) -> Make:
    """A capture with ``change`` made to the leaves of its output."""

    def make(program: Program, hit: Hit) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            return pytree.tree_map(_counting(change, hit), program.module(*args, **kwargs))

        return run

    return _where(make, lambda f: (change(leaf) for o in f.outputs for leaf in flat(o)))


def output(change: Change) -> Make:
    """A capture with ``change`` made to its output as a whole."""

    def make(program: Program, hit: Hit) -> Any:
        changed = _counting(change, hit)
        return lambda *args, **kwargs: changed(program.module(*args, **kwargs))

    return _where(make, lambda features: map(change, features.outputs))


def inputs(change: Change) -> Make:
    """A capture with ``change`` made to the leaves of its inputs.

    What the program writes into an input that was changed is lost.
    """

    def make(program: Program, hit: Hit) -> Any:
        changed = _counting(change, hit)

        def run(*args: Any, **kwargs: Any) -> Any:
            args, kwargs = pytree.tree_map(changed, (args, kwargs))
            return program.module(*args, **kwargs)

        return run

    return _where(make, lambda f: (change(leaf) for given in f.inputs for leaf in flat(given)))


def like_example(change: Callable[[Any, Any], Any]) -> Make:
    """A capture with ``change(leaf, leaf of the example)`` made to the leaves of its inputs.

    They are left alone where they are not as many as the example's.
    """

    def make(program: Program, hit: Hit) -> Any:
        known = flat((program.args, dict(program.kwargs)))

        def run(*args: Any, **kwargs: Any) -> Any:
            leaves, spec = pytree.tree_flatten((args, kwargs), is_leaf=lambda v: v is None)
            if len(leaves) == len(known):
                for i, (leaf, example) in enumerate(zip(leaves, known, strict=True)):
                    if (new := change(leaf, example)) is not None:
                        hit()
                        leaves[i] = None if new is NOTHING else new
                args, kwargs = pytree.tree_unflatten(leaves, spec)
            return program.module(*args, **kwargs)

        return run

    return _where(
        make,
        lambda f: (change(a, b) for i in f.inputs for a, b in zip(flat(i), flat(f.example))),  # noqa: B905
    )


def _where(make: Make, changes: Callable[[Features], Iterable[Any]]) -> Make:
    """``make``, said to break programs for which one of the ``changes`` is one."""

    def when(features: Features) -> bool:
        try:
            return any(change is not None for change in changes(features))
        except Exception:  # what eager's results do not allow may be possible where it runs
            return True

    make.when = when  # type: ignore[attr-defined]
    return make


#: Stands for None in what a ``Change`` gives.
NOTHING = object()


def flat(value: Any) -> list[Any]:
    """The leaves of a value, None among them."""
    return pytree.tree_flatten(value, is_leaf=lambda v: v is None)[0]


def _counting(change: Change, hit: Hit) -> Change:
    def changed(value: Any) -> Any:
        new = change(value)
        if new is None:
            return value
        hit()
        return None if new is NOTHING else new

    return changed


def on_tensors(change: Change) -> Change:
    """``change`` for tensors alone."""
    return lambda leaf: change(leaf) if isinstance(leaf, torch.Tensor) else None


def tensors(value: Any) -> list[torch.Tensor]:
    """The tensors among the leaves of a value."""
    return [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, torch.Tensor)]


def storage(tensor: torch.Tensor) -> int:
    """What is the same for tensors that share memory."""
    return int(tensor.untyped_storage()._cdata) if tensor.layout is torch.strided else id(tensor)


def state_of(module: torch.nn.Module) -> dict[str, torch.Tensor]:
    """Parameters and buffers by name."""
    return {**dict(module.named_parameters()), **dict(module.named_buffers())}


def has_input(test: Callable[[Any], bool]) -> Callable[[Features], bool]:
    """For programs one of whose inputs passes ``test``."""
    return lambda features: any(test(leaf) for i in features.inputs for leaf in flat(i))


def has_container(*types: type) -> Callable[[Features], bool]:
    """For programs one of whose arguments is such a container."""
    return lambda features: any(
        isinstance(value, types) for args, kwargs in features.inputs
        for value in (*args, *kwargs.values())
    )  # fmt: skip


class Asked(TorchFunctionMode):
    """Answers what a program asks of tensors as it was answered while the example ran.

    ``names`` are the functions (``size``, ``item``, ``dtype``); the n-th question
    of a call gets the n-th answer of the example, where the example asked as often.
    """

    def __init__(self, names: Sequence[str], hit: Hit) -> None:
        super().__init__()
        self.names, self.hit = frozenset(names), hit
        self.answers: list[Any] = []
        self.known: Iterator[Any] | None = None

    def replay(self) -> Asked:
        """Answer from the beginning again."""
        self.known = iter(self.answers)
        return self

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        answer = func(*args, **(kwargs or {}))
        if question(func) not in self.names:
            return answer
        if self.known is None:
            self.answers.append(answer)
            return answer
        old = next(self.known, answer)
        if type(old) is not type(answer) or old == answer:
            return answer
        self.hit()
        return old


def question(func: Any) -> str:
    """``dtype`` of the getter of that property; the name of any other function."""
    owner = getattr(func, "__self__", None)
    name = getattr(func, "__name__", "")
    return str(getattr(owner, "__name__", "")) if name == "__get__" else name


def asking(*names: str) -> Make:
    """A capture in which the answers to the questions ``names`` are those of the example."""

    def make(program: Program, hit: Hit) -> Any:
        mode = Asked(names, hit)
        module, given = copy.deepcopy((program.module, (program.args, dict(program.kwargs))))
        with mode:
            module(*given[0], **given[1])

        def run(*args: Any, **kwargs: Any) -> Any:
            with mode.replay():
                return program.module(*args, **kwargs)

        return run

    make.when = lambda features: not features.compiled  # type: ignore[attr-defined]
    return make


def around(
    before: Callable[[Program, Mapping[str, Any]], Any], after: Callable[[Program, Any, Hit], None]
) -> Make:
    """A capture that does something before each call and, with what that gave, after it."""

    def make(program: Program, hit: Hit) -> Any:
        kept: dict[str, Any] = {}

        def run(*args: Any, **kwargs: Any) -> Any:
            found = before(program, kept)
            try:
                return program.module(*args, **kwargs)
            finally:
                after(program, found, hit)

        return run

    return make
