"""Captured on the CPU, then moved to the device it runs on by ``move_to_device_pass``.

That is how a program gets to a device that was not there when it was captured. What the program
asked of its device while it was traced (a branch, a constant) was answered for the CPU and stays.
Source: ``torch.export.passes`` of torch's documentation.
"""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cache
from typing import Any

from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_export import exported


class ExportMoved(Exporter):
    """The exported program of a copy on the CPU, moved; on the CPU there is nothing to move."""

    name = "export-moved"
    extends = "export"
    description = "torch.export.export on the CPU, then move_to_device_pass"
    lacks = frozenset({"fake"})  # a fake tensor has no values to take to the CPU
    default = False

    def capture(self, program: Program) -> Artifact:
        from torch.export.passes import move_to_device_pass

        first = exported(program if program.device == "cpu" else _on_cpu(program))
        program.announce("lower")
        # What the program puts on another device itself stays there.
        moved = move_to_device_pass(first, {"cpu": program.device})
        call = moved.module()
        _share_state(call, program.module)
        return Artifact(call=call, exported_program=moved)


def _share_state(call: Any, module: Any) -> None:
    """``call`` runs on the state of the module that was captured, and changes it.

    Parameters are the same objects: a gradient of one that two layers share is found under each
    of its names.
    """
    parameters = dict(module.named_parameters(remove_duplicate=False))
    for name, _ in list(call.named_parameters(remove_duplicate=False)):
        if name in parameters:
            holder, _, own_name = name.rpartition(".")
            call.get_submodule(holder).register_parameter(own_name, parameters[name])
    buffers = dict(module.named_buffers(remove_duplicate=False))
    for name, buffer in call.named_buffers(remove_duplicate=False):
        if name in buffers:
            buffer.data = buffers[name].data


def _on_cpu(program: Program) -> Program:
    """A copy of ``program`` and its inputs, as they would have been made there."""
    import torch
    from torch.utils import _pytree as pytree

    whole: dict[Any, Any] = {}

    @cache  # one tensor given twice is one tensor there
    def taken(tensor: Any) -> Any:
        """Its memory is copied whole and once, so that what shared it still does."""
        memory = tensor.untyped_storage()
        size = memory.nbytes() // tensor.element_size()
        key = (memory._cdata, tensor.dtype)
        if key not in whole:
            whole[key] = tensor.detach().as_strided((size,), (1,), 0).cpu()
        copied = whole[key].as_strided(tensor.size(), tensor.stride(), tensor.storage_offset())
        return copied.requires_grad_(tensor.requires_grad)

    inputs = (program.args, dict(program.kwargs))
    args, kwargs = pytree.tree_map_only(torch.Tensor, taken, inputs)
    module = copy.deepcopy(program.module).to("cpu")
    return replace(program, module=module, args=args, kwargs=kwargs, device="cpu")
