"""What programs are asked to be made around: elements of the grammar, and operators by any name.

Owns the words that are neither. This process never imports torch: a child knows the operators.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from exportdb.executors import open_executor
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Task
from exportdb.hunt.elements import BY_NAME
from exportdb.runner.warm import IMPORT, warm_workers

#: What torch's tests know of operators: it takes long to import.
OPINFO = "torch.testing._internal.common_methods_invocations"
#: Seconds that may go by until it is known what the names mean.
_TIMEOUT = 180.0


class NotKnown(ValueError):
    """A word that is neither an element nor an operator."""


def around(words: Sequence[str], home: Path) -> tuple[str, ...]:
    """The elements that these words name, and what a program calls the operators that they name.
    Raises NotKnown and RunnerError."""
    elements = [word for word in words if word in BY_NAME]
    others = [word for word in words if word not in BY_NAME]
    if not others:
        return tuple(elements)
    with closing(open_executor(warm_workers(["1", f"{IMPORT}{OPINFO}"], home))) as executor:
        executor.submit(Task("exportdb.hunt.naming:named", (others,), _TIMEOUT))
        (ending,) = executor.endings()
    if ending.failure is not None:
        raise RunnerError(f"the operators cannot be looked up: {ending.failure.message}")
    for word, near in ending.value["near"].items():
        raise NotKnown(_said(word, near))
    found = [name for word in others for name in ending.value["operators"][word]]
    return tuple(dict.fromkeys([*elements, *found]))


def _said(word: str, near: Sequence[str]) -> str:
    near = [*difflib.get_close_matches(word, BY_NAME, n=2), *near]
    end = f"; near it: {', '.join(near)}" if near else ""
    return (
        f"{word} is neither an element of the grammar ({', '.join(BY_NAME)}) nor an operator "
        f"that torch's tests have samples of (OpInfo){end}"
    )
