"""Captures that leave something changed behind them: in the module, in torch, in the process.

Each is examined in a process of its own, in the engine's own order: what it leaves may reach eager.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import torch

from detection.kind import Kind
from detection.mutant import Hit
from detection.wrapping import state_of, tensors
from exportdb.exporters.protocol import Program

call = Kind("leaks").call


def _leaves(says: str, leave: Callable[[Program], Any], **more: Any) -> None:
    """A capture that is eager itself and, before it is given back, does ``leave(program)``."""

    def make(program: Program, hit: Hit) -> Any:
        leave(program)
        hit()
        return program.module

    call(says, make, alone=True, **more)


def _patch(owner: Any, name: str, new: Callable[..., Any]) -> Callable[[Program], None]:
    def leave(program: Program) -> None:
        sound = getattr(owner, name)
        setattr(owner, name, lambda *args, **kwargs: new(sound, *args, **kwargs))

    return leave


def _twice(sound: Any, *args: Any, **kwargs: Any) -> Any:
    return sound(*args, **kwargs) * 2


_leaves("torch.relu stays patched", _patch(torch, "relu", _twice), needs="relu")
_leaves("torch.sin stays patched", _patch(torch, "sin", _twice), needs="sin")
_leaves("torch.cat stays patched", _patch(torch, "cat", _twice), needs="cat")
_leaves("Tensor.sum stays patched", _patch(torch.Tensor, "sum", _twice), needs="sum")
_leaves("Tensor.__add__ stays patched", _patch(torch.Tensor, "__add__", _twice), needs="add")
_leaves(
    "functional.linear stays patched", _patch(torch.nn.functional, "linear", _twice), needs="addmm"
)
_leaves(
    "Module.__call__ stays patched",
    _patch(
        torch.nn.Module, "__call__", lambda sound, self, *a, **k: _doubled(sound(self, *a, **k))
    ),
)
_leaves(
    "torch.cond stays patched",
    _patch(torch, "cond", lambda sound, pred, true_fn, false_fn, operands=(): true_fn(*operands)),
    needs="cond",
)


def _doubled(value: Any) -> Any:
    return value * 2 if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def _hook(program: Program) -> None:
    torch.nn.modules.module.register_module_forward_hook(
        lambda module, args, output: _doubled(output)
    )


def _mode(program: Program) -> None:
    from detection.operators import Replaced

    Replaced(["add"], lambda right: right * 2, lambda: None).__enter__()


def _changed_example(program: Program) -> None:
    for t in tensors((program.args, dict(program.kwargs))):
        if t.numel() and not t.requires_grad and not t.is_meta:
            t.zero_()


def _halved(program: Program) -> None:
    for t in state_of(program.module).values():
        if t.is_floating_point():
            t.data = t.data.bfloat16().to(t.dtype)


def _grown(program: Program) -> None:
    program.module.register_buffer("left_behind", torch.ones(1))


def _own_hook(program: Program) -> None:
    program.module.register_forward_hook(lambda module, args, output: _doubled(output))


def _own_forward(program: Program) -> None:
    forward = program.module.forward
    program.module.forward = lambda *args, **kwargs: _doubled(forward(*args, **kwargs))


_leaves("a hook on all modules stays", _hook)
_leaves("a dispatch mode stays entered", _mode, needs="add")
_leaves(
    "grad mode stays off",
    lambda program: torch.set_grad_enabled(False),
    when=lambda features: features.state or features.train,
)
_leaves("inference mode stays on", lambda program: torch.inference_mode().__enter__())
_leaves("the default type stays float64", lambda program: torch.set_default_dtype(torch.float64))
_leaves(
    "the default device stays meta",
    lambda program: torch.set_default_device("meta"),
    needs="zeros ones full arange empty rand randn scalar_tensor",
)
_leaves(
    "deterministic algorithms stay on", lambda program: torch.use_deterministic_algorithms(True)
)
_leaves(
    "autocast stays on",
    lambda program: torch.autocast("cpu", torch.bfloat16).__enter__(),
    needs="addmm mm bmm",
)
_leaves("denormals stay flushed", lambda program: torch.set_flush_denormal(True))
_leaves("anomaly detection stays on", lambda program: torch.autograd.set_detect_anomaly(True))
_leaves(
    "the number of threads stays changed",
    lambda program: torch.set_num_threads(torch.get_num_threads() + 1),
)
_leaves(
    "a type registered with pytree stays",
    lambda program: torch.utils._pytree.register_pytree_node(
        type("Left", (), {}), lambda v: ([], None), lambda v, c: v
    ),
)
_leaves(
    "an environment variable stays set",
    lambda program: os.environ.__setitem__("TORCH_LEFT_BEHIND", "1"),
)
_leaves("the printing options stay changed", lambda program: torch.set_printoptions(precision=2))
_leaves("Python's random is seeded anew", lambda program: random.seed(7))
_leaves(
    "a graph limit of Dynamo stays changed",
    lambda program: setattr(torch._dynamo.config, "cache_size_limit", 1),
)
_leaves("the example given to the capture is overwritten", _changed_example)
_leaves(
    "the parameters have passed through bfloat16", _halved, when=lambda features: features.state
)
_leaves("a buffer is added to the module", _grown)
_leaves("a hook on the module stays", _own_hook)
_leaves("the module's forward stays wrapped", _own_forward)
