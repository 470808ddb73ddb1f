"""The words of this package: a wrong lowering, beside a program in which it shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from detection.kind import Kind
from detection.mutant import MUTANTS

#: By the names of mutants, an expression of ``x`` and what ``x`` is, both as text.
WITNESSES: dict[str, tuple[str, str]] = {}


def lowers(
    kind: Kind, names: str, says: str, by: str, x: str = "torch.randn(4, 6)"
) -> Callable[[Callable[..., Any]], None]:
    """A wrong lowering of the operators ``names``, which shows in the expression ``by``."""

    def add(wrong: Callable[..., Any]) -> None:
        before = set(MUTANTS)
        kind.lowering(names, says, wrong)
        (name,) = set(MUTANTS) - before
        WITNESSES[name] = (by, x)

    return add


def breaks(
    kind: Kind, names: str, says: str, by: str, x: str = "torch.randn(4, 6)"
) -> Callable[[Callable[..., Any]], None]:
    """As ``lowers``, for a defect below autograd, where the operator's kernel would be."""

    def add(defect: Callable[..., Any]) -> None:
        before = set(MUTANTS)
        kind.operator(names, says, defect)
        (name,) = set(MUTANTS) - before
        WITNESSES[name] = (by, x)

    return add
