"""The sound captures that mutants are made of, and beside which they are judged.

Owns the exported program that all mutants of a program share.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from detection import operators
from detection.mutant import Hit, Make, Mutant
from exportdb.exporters.protocol import Program
from exportdb.exporters.torch_export import exported as export

#: What has been exported of the program at hand: a capture of each mutant would be the same.
_EXPORTED: dict[str, Any] = {}


def once(program: Program) -> Any:
    """The exported program, made once for all mutants of a program. Raises as export does."""
    if "program" not in _EXPORTED:
        try:
            _EXPORTED["program"] = export(program)
        except Exception as e:
            _EXPORTED["program"] = e
    if isinstance(_EXPORTED["program"], Exception):
        raise _EXPORTED["program"]
    _put_back(_EXPORTED["program"])
    return _EXPORTED["program"]


def _put_back(program: Any) -> None:
    """Give the tensors of an exported program the values that they had when it was made: what one
    mutant has written, the next one does not begin with."""
    held = {**program.state_dict, **program.constants}
    tensors = {name: t for name, t in held.items() if isinstance(t, torch.Tensor)}
    kept = _EXPORTED.setdefault("kept", {n: t.detach().clone() for n, t in tensors.items()})
    with torch.no_grad():
        for name, tensor in tensors.items():
            tensor.copy_(kept[name])


def forget() -> None:
    """Another program comes next."""
    _EXPORTED.clear()


def exported(program: Program, hit: Hit) -> Any:
    """The capture by export."""
    return once(program).module()


def sound(program: Program, hit: Hit) -> Callable[..., Any]:
    """Eager itself behind the protocol: a perfect exporter."""
    return program.module


def controls() -> dict[str, Mutant]:
    """The sound captures by the names of the bases that a mutant can have."""
    makes: dict[str, Make] = {
        "eager": sound,
        "gradients": sound,
        "operators": operators.recording(set()),
        "export": exported,
    }
    return {base: Mutant("control", f"sound, {base}", base, m) for base, m in makes.items()}
