"""One sample that is planned: its role, its name, and how it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.program import Inputs
from exportdb.records.record import Role

#: What a call is made in: a mode of torch.
Around = Callable[[], AbstractContextManager[Any]]


@dataclass(frozen=True)
class PlannedSample:
    """One set of inputs to try: its role, a name stable from run to run, and how to build it."""

    role: Role
    name: str
    build: Callable[[], Inputs]
    sizes: Mapping[str, int] = field(default_factory=dict)
    own: bool = False  # yielded by the program itself
    guessed: bool = False  # nobody but eager knows whether it is to be accepted
    tentative: bool = False  # tried only where eager takes it
    around: Around = nullcontext  # what every call stands in


def for_metadata(samples: Sequence[PlannedSample]) -> list[PlannedSample]:
    """The samples that a prediction from sizes, strides and dtypes can be held to.

    What must be refused for its values alone is not put to it: the case's own rejected samples,
    and made ones that look like an accepted one.
    """
    accepted = [_outline(s) for s in samples if s.role != "rejects"]
    return [
        s for s in samples if s.role != "rejects" or (not s.own and _outline(s) not in accepted)
    ]


def _outline(sample: PlannedSample) -> Any:
    """What can be known of a sample without its values; of one that cannot be built, its name."""
    try:
        leaves, structure = pytree.tree_flatten(sample.build())
    except Exception:  # inputs() may refuse these sizes itself
        return sample.name
    seen = [
        (leaf.dtype, leaf.shape, leaf.stride()) if type(leaf) is torch.Tensor else leaf
        for leaf in leaves
    ]
    return str(structure), repr(seen)
