"""Calls in a row: how many there are, what each is given, what is seen of all but the last.

Owns memory that callers use again. A loop that serves requests fills the same tensors over and
over, or makes others in their memory: what a capture keeps by the identity or the address of a
tensor shows there. And a caller holds on to answers: memory that is handed out again some calls
later shows only as long as they are held. What calls are compared with is left to ``trial``.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.observing import Behaviour, State, holds_values
from exportdb.conformance.program import Inputs
from exportdb.suites.copying import memory_of


class InputMemory(enum.Enum):
    """In which tensors a call gets its inputs: its own, those of the first call filled anew, or
    others in the memory of those; or those that a caller's operators made, who has also done with
    the module what a training step does (see ``training_step``)."""

    OWN = "own"
    REFILLED = "refilled"
    IN_PLACE_OF = "in place of"
    AFTER_STEP = "results of operators, after a training step"


#: The calls of a row: which of two sets of values each is given, and in which tensors. However many
#: calls later memory is handed out again, some two calls that far apart have other values; and
#: where a tensor or its memory comes back, it holds others than before.
ROW = (
    (0, InputMemory.OWN),
    (1, InputMemory.OWN),
    (0, InputMemory.OWN),
    (1, InputMemory.IN_PLACE_OF),
    (1, InputMemory.REFILLED),
)
#: How many calls eager must live through, or the row is one that is to be rejected.
LEAST = 2


def own_alone(row: Sequence[tuple[int, InputMemory]]) -> list[tuple[int, InputMemory]]:
    """The same calls, each with tensors of its own."""
    return [(i, InputMemory.OWN) for i, _ in row]


def keeps_inputs(behaviour: Behaviour) -> bool:
    """Whether a call left an input in the state: filling it anew would change the state."""
    return any({a[0], b[0]} == {"input", "state"} for a, b in behaviour.sharing)


def given_again(first: Sequence[Any], inputs: Inputs, how: InputMemory) -> tuple[Inputs, bool]:
    """``inputs`` in the tensors that the ``first`` call was given, and whether any are in them.

    What cannot be filled anew stays as it is in ``inputs``.
    """
    leaves, spec = pytree.tree_flatten(inputs)
    if how is InputMemory.OWN or len(leaves) != len(first):
        return inputs, False
    places = [memory_of(t) for t in first if isinstance(t, torch.Tensor)]
    used = [
        i for i, (old, new) in enumerate(zip(first, leaves, strict=True))
        if _fits(old, new) and places.count(memory_of(old)) == 1
    ]  # fmt: skip
    for i in used:
        old, new = first[i], leaves[i]
        old.data.copy_(new.data)
        leaves[i] = (
            old if how is InputMemory.REFILLED else old.data.requires_grad_(old.requires_grad)
        )
    return pytree.tree_unflatten(leaves, spec), bool(used)


def _fits(old: Any, new: Any) -> bool:
    """Whether a tensor can be filled with the values of another and is then like it."""
    if type(old) is not torch.Tensor or type(new) is not torch.Tensor:
        return False
    if old.layout is not torch.strided or new.layout is not torch.strided:
        return False
    special = any(
        t._is_view() or t.is_quantized or t.is_inference() or t.is_conj() or t.is_neg()
        for t in (old, new)
    )
    if special or not (old.is_leaf and new.is_leaf and holds_values(old) and old.numel()):
        return False
    return _outline(old) == _outline(new) and torch._debug_has_internal_overlap(old) == 0


def _outline(t: torch.Tensor) -> object:
    return t.shape, t.stride(), t.dtype, t.device, t.requires_grad


# --- what stays of a call -----------------------------------------------------------------------


@dataclass(frozen=True)
class EarlierCall:
    """A call after which others were made; ``output`` and ``state`` are what they were then."""

    behaviour: Behaviour
    output: Any
    state: State

    @staticmethod
    def of(behaviour: Behaviour) -> EarlierCall:
        """``behaviour``, observed with ``keep``, just after its call."""
        kept = behaviour.kept
        output = pytree.tree_map(lambda leaf: _then(leaf, kept.get(id(leaf))), behaviour.output)
        state = {
            name: t.detach().clone() if holds_values(t) else t
            for name, t in behaviour.state.items()
        }
        return EarlierCall(behaviour, output, state)

    def settled(self) -> Behaviour:
        """What it gave, with nothing that later calls can change, and what they have changed.

        Only numbers, shapes and dtypes stay to be compared: what shares memory with what is
        compared after the last call.
        """
        seen = self.behaviour
        in_inputs = {
            str(one[1]) for one, other in seen.sharing if (one[0], other[0]) == ("output", "input")
        }
        return Behaviour(
            self.output, seen.exception, state=self.state, random=seen.random,
            overrun=seen.overrun, overwritten=frozenset(seen.changed_since()),
            in_inputs=frozenset(in_inputs), seconds=seen.seconds,
        )  # fmt: skip


def _then(leaf: Any, kept: torch.Tensor | None) -> Any:
    if kept is not None:
        return kept
    plain = isinstance(leaf, torch.Tensor | int | float | complex | str | bytes)
    return leaf if plain else None  # what an object holds may be something else by now


def all_settled(calls: Sequence[Behaviour | EarlierCall]) -> list[Behaviour]:
    """What the calls of a row did, looked at after the last."""
    return [call.settled() if isinstance(call, EarlierCall) else call for call in calls]
