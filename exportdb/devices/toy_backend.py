"""The kernels of the device ``toy``: one, for every operator.

Owns how a tensor of the device and the memory behind it belong together. A tensor of the device is
a shell: sizes, strides and a storage of the device, whose pointer is that of a storage on the CPU.
The kernel puts CPU tensors of the same geometry in the place of the shells, calls the operator, and
puts shells around what comes back; a result that lies in an argument's memory gets a shell on that
argument's storage, so that views alias and writes show as they do on any device.

Importing this needs torch; :func:`register` changes the process for good.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch.utils.backend_registration import (
    _DummyBackendModule,
    _setup_privateuseone_for_python_backend,
)

_CPU = torch.device("cpu")
#: The CPU's kernels of operators that only set a tensor's geometry do so for any device.
_AS_CPU = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)
_SET = torch.ops.aten.set_.source_Storage_storage_offset

#: Operators that take CPU tensors beside those of the device, as accelerators' do: indices,
#: lengths, and what copies from one device to another.
_MIXED = frozenset(
    {"index", "index_put", "index_put_", "_index_put_impl_", "_unsafe_index", "copy_",
     "_copy_from", "_to_copy", "_pack_padded_sequence", "set_"}
)  # fmt: skip

_name = ""
_libraries: list[Any] = []  # what is registered lasts as long as these


def register(name: str) -> None:
    """Make the device known to torch as ``name``, in this process. Twice is once."""
    global _name
    if _name:
        return
    _name = name
    _setup_privateuseone_for_python_backend(name, _Module())
    everything = torch.library.Library("_", "IMPL")
    everything.fallback(_kernel, "PrivateUse1")
    aten = torch.library.Library("aten", "IMPL")
    for operator, kernel in _OWN.items():
        aten.impl(operator, kernel, "PrivateUse1")
    for key in ("Conjugate", "Negative"):  # who makes such a view a tensor copies it, and so on
        aten.impl("_copy_from", torch.library.fallthrough_kernel, key)
    # While a mode is active, torch does not find a fallback that is written in Python.
    for operator in _of_the_cpu():
        aten.impl(operator._name.removeprefix("aten::"), partial(_kernel, operator), "PrivateUse1")
    everything.fallback(torch.library.fallthrough_kernel, "AutocastPrivateUse1")
    for packet in _CAST:
        operator = getattr(torch.ops.aten, packet).default
        aten.impl(packet, partial(_cast, operator), "AutocastPrivateUse1")
    _libraries.extend([everything, aten])
    # Copying a storage allocates one, for which torch asks C++: Python cannot give an allocator.
    copied = torch.UntypedStorage.clone
    torch.UntypedStorage.clone = lambda s: _copy(s) if s.device.type == name else copied(s)
    # An exception within a backward on a device of Python's ends the process, and this one is how
    # checkpointing stops its second forward early.
    torch.utils.checkpoint._enable_checkpoint_early_stop = False


class _Module(_DummyBackendModule):
    """What stands as ``torch.toy``; the random numbers are the CPU generator's."""

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        return [torch.bfloat16, torch.float16]

    def get_rng_state(self, device: Any = None) -> torch.Tensor:  # noqa: ARG002
        return torch.get_rng_state()

    def set_rng_state(self, state: torch.Tensor, device: Any = None) -> None:  # noqa: ARG002
        torch.set_rng_state(state)


def _of_the_cpu() -> Iterator[Any]:
    """The operators that every device has to bring kernels for."""
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    composite = ("CompositeImplicitAutograd", "CompositeExplicitAutograd",
                 "CompositeExplicitAutogradNonFunctional")  # fmt: skip
    for name in torch._C._dispatch_get_all_op_names():
        short = name.removeprefix("aten::")
        if short == name or short in _OWN or not has(name, "CPU"):
            continue
        if not any(has(name, key) for key in composite):
            packet, _, overload = short.partition(".")
            yield getattr(getattr(torch.ops.aten, packet), overload or "default")


# --- shells and memory -------------------------------------------------------------------------


def _is_shell(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.device.type == _name


def memory(shell: torch.Tensor) -> torch.Tensor:
    """The CPU tensor that holds the values of a tensor of the device: same memory and geometry, and
    read as conjugate or negative where that one is."""
    held = getattr(shell.untyped_storage(), "memory", None)
    if held is None:
        raise RuntimeError(f"a tensor on {_name} was made without memory")
    values = torch.empty(0, dtype=shell.dtype, device=_CPU)
    _SET(values, held, shell.storage_offset(), shell.shape, shell.stride())
    return _signed(values, shell)


def shell(values: torch.Tensor, storage: torch.UntypedStorage | None = None) -> torch.Tensor:
    """A tensor of the device around a CPU tensor, on ``storage`` if it lies in that one's memory.

    Raises NotImplementedError for what has no strides (sparse and quantized tensors).
    """
    if values.layout is not torch.strided or values.is_quantized:
        raise NotImplementedError(f"the device {_name} holds no sparse or quantized tensors")
    made = torch._C._acc.create_empty_tensor((0,), values.dtype)
    # An empty storage is false.
    return _placed(made, values, _storage(values.untyped_storage()) if storage is None else storage)


def _placed(
    made: torch.Tensor, values: torch.Tensor, storage: torch.UntypedStorage
) -> torch.Tensor:
    """``made`` with the geometry of ``values``, on ``storage``."""
    _SET.redispatch(_AS_CPU, made, storage, values.storage_offset(), values.shape, values.stride())
    return made


def _signed(made: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """``made``, read as conjugate or negative if ``like`` is."""
    torch._C._set_conj(made, like.is_conj())
    torch._C._set_neg(made, like.is_neg())
    return made


def _storage(held: torch.UntypedStorage) -> torch.UntypedStorage:
    """A storage of the device on the memory of one on the CPU, which it keeps alive."""
    device = torch.device(_name, 0)
    made = torch._C._construct_storage_from_data_pointer(held.data_ptr(), device, held.nbytes())
    made.memory = held
    return made


def _copy(storage: torch.UntypedStorage) -> torch.UntypedStorage:
    return _storage(storage.memory.clone())


# --- the kernel --------------------------------------------------------------------------------


def _kernel(op: Any, *args: Any, **kwargs: Any) -> Any:
    """Any operator: the CPU's, on the memory of the arguments."""
    shells = [a for a in pytree.tree_leaves((args, kwargs)) if isinstance(a, torch.Tensor)]
    _on_one_device(op, shells)
    shells = [t for t in shells if _is_shell(t)]
    memories = [memory(t) for t in shells]
    by_id = {id(t): m for t, m in zip(shells, memories, strict=True)}
    before = [_geometry(m) for m in memories]

    def lowered(value: Any) -> Any:
        if _is_shell(value):
            return by_id[id(value)]
        if isinstance(value, torch.device) and value.type == _name:
            return _CPU
        return value

    # A number that C++ made a tensor of comes here as a number again: another overload's.
    numbers = any(
        isinstance(a, int | float | complex) and str(s.type) == "Tensor"
        for a, s in zip(args, op._schema.arguments, strict=False)
    )
    call = op.overloadpacket if numbers else op
    result = call(*pytree.tree_map(lowered, args), **pytree.tree_map(lowered, kwargs))

    for t, m, geometry in zip(shells, memories, before, strict=True):
        if _geometry(m) != geometry:  # resized in place: the memory may have moved
            _placed(t, m, _storage(m.untyped_storage()))
    written = {id(m): t for t, m in zip(shells, memories, strict=True)}
    homes = {m.untyped_storage()._cdata: t for t, m in zip(shells, memories, strict=True)}

    def raised(value: Any) -> Any:
        if not isinstance(value, torch.Tensor):
            return value
        if id(value) in written:  # and returned
            return written[id(value)]
        strided = value.layout is torch.strided
        home = homes.get(value.untyped_storage()._cdata) if strided else None
        if home is None:
            return shell(value)
        return _signed(shell(value, home.untyped_storage()), value)

    return pytree.tree_map(raised, result)


def _geometry(t: torch.Tensor) -> tuple[Any, ...]:
    storage = t.untyped_storage()
    return t.shape, t.stride(), t.storage_offset(), storage.data_ptr(), storage.nbytes()


def _on_one_device(op: Any, tensors: list[torch.Tensor]) -> None:
    """Raise RuntimeError if a CPU tensor that is no number meets tensors of the device."""
    name = op._schema.name.partition("::")[2]
    strangers = [t for t in tensors if not _is_shell(t) and t.dim() > 0]
    if strangers and name not in _MIXED:
        raise RuntimeError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{_name}:0 and {strangers[0].device}! (when calling {op})"
        )


def _copy_from(source: torch.Tensor, target: torch.Tensor, _: bool = False) -> Any:
    # What is lazily conjugate or negative becomes so here, and only here.
    values, place = (_signed(memory(t), t) if _is_shell(t) else t for t in (source, target))
    place.copy_(values)
    return target


def _set(t: torch.Tensor, storage: Any, offset: Any, size: Any, stride: Any = ()) -> torch.Tensor:
    return _SET.redispatch(_AS_CPU, t, storage, offset, size, stride)


# --- operators that the CPU does otherwise -----------------------------------------------------


def _convolution(x: Any, weight: Any, bias: Any, *rest: Any) -> Any:
    return _kernel(torch.ops.aten.convolution.default, x, weight, bias, *rest)


def _convolution_backward(
    grad: Any, x: Any, weight: Any, stride: Any, padding: Any, dilation: Any, transposed: bool,
    output_padding: Any, groups: int, mask: Any,
) -> Any:  # fmt: skip
    biases = [weight.shape[1] * groups if transposed else weight.shape[0]]
    return _kernel(
        torch.ops.aten.convolution_backward.default, grad, x, weight, biases, stride, padding,
        dilation, transposed, output_padding, groups, mask,
    )  # fmt: skip


def _lstm_cell(x: Any, h: Any, c: Any, x_bias: Any = None, h_bias: Any = None) -> Any:
    """One step of an LSTM from its gates: (hidden, cell, what the backward would need)."""
    gates = x + h if x_bias is None else x + h + x_bias + h_bias
    i, f, g, o = gates.chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    cell = f * c + i * g
    return o * cell.tanh(), cell, torch.cat([i, f, g, o], 1)


def _lstm_cell_backward(
    grad_h: Any, grad_c: Any, before: Any, after: Any, gates: Any, has_bias: bool
) -> Any:
    """Gradients of one step of an LSTM: (its gates, the cell before, both biases or None)."""
    i, f, g, o = gates.chunk(4, 1)
    squashed = after.tanh()
    grad_cell = torch.zeros_like(after) if grad_c is None else grad_c
    grad_o = torch.zeros_like(o)
    if grad_h is not None:
        grad_cell = grad_cell + grad_h * o * (1 - squashed * squashed)
        grad_o = grad_h * squashed * o * (1 - o)
    grads = [
        grad_cell * g * i * (1 - i),
        grad_cell * before * f * (1 - f),
        grad_cell * i * (1 - g * g),
        grad_o,
    ]
    grad_gates = torch.cat(grads, 1)
    return grad_gates, grad_cell * f, grad_gates.sum(0) if has_bias else None


def _gru_cell(x: Any, h: Any, hidden: Any, x_bias: Any = None, h_bias: Any = None) -> Any:
    """One step of a GRU from its gates: (hidden, what the backward would need)."""
    if x_bias is not None:
        x, h = x + x_bias, h + h_bias
    (xr, xz, xn), (hr, hz, hn) = x.chunk(3, 1), h.chunk(3, 1)
    r, z = (xr + hr).sigmoid(), (xz + hz).sigmoid()
    n = (xn + r * hn).tanh()
    return n + z * (hidden - n), torch.cat([r, z, n, hidden, hn], 1)


def _gru_cell_backward(grad: Any, gates: Any, has_bias: bool) -> Any:
    """Gradients of one step of a GRU: (x's gates, h's gates, the state before, both biases)."""
    r, z, n, before, hn = gates.chunk(5, 1)
    grad_n = grad * (1 - z) * (1 - n * n)
    grad_r = grad_n * hn * r * (1 - r)
    grad_z = grad * (before - n) * z * (1 - z)
    x = torch.cat([grad_r, grad_z, grad_n], 1)
    h = torch.cat([grad_r, grad_z, grad_n * r], 1)
    return x, h, grad * z, x.sum(0) if has_bias else None, h.sum(0) if has_bias else None


def _batch_norm(op: Any, x: Any, *rest: Any) -> Any:
    """With the statistics it used, as accelerators give them; in inference the CPU gives none."""
    result, mean, rstd = _kernel(op, x, *rest)
    _, _, running_mean, running_var, training, _, eps = rest
    if not training:
        mean, rstd = running_mean.clone(), (running_var + eps).rsqrt()
    return result, mean, rstd


def _cast(op: Any, *args: Any) -> Any:
    """An operator that autocast runs in its dtype, on arguments cast to it."""
    with torch._C._ExcludeDispatchKeyGuard(_AUTOCAST):
        dtype = torch.get_autocast_dtype(_name)
        return op(*(
            a.to(dtype) if isinstance(a, torch.Tensor) and a.is_floating_point() else a
            for a in args
        ))  # fmt: skip


_AUTOCAST = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastPrivateUse1)
_CAST = ("linear", "matmul", "mm", "addmm", "bmm")

#: What the kernel for everything cannot do: operators that the CPU lacks (accelerators are asked
#: for other ones for convolutions and recurrent cells) and those that are about the shell itself.
_OWN: dict[str, Any] = {
    "_copy_from": _copy_from,
    "set_.source_Storage_storage_offset": _set,
    "native_batch_norm": partial(_batch_norm, torch.ops.aten.native_batch_norm.default),
    "_native_batch_norm_legit": partial(
        _batch_norm, torch.ops.aten._native_batch_norm_legit.default
    ),
    "convolution_overrideable": _convolution,
    "convolution_backward_overrideable": _convolution_backward,
    "_shape_as_tensor": lambda t: torch.tensor(list(t.shape), device=_CPU),  # as on any device
    "_thnn_fused_lstm_cell": _lstm_cell,
    "_thnn_fused_lstm_cell_backward_impl": _lstm_cell_backward,
    "_thnn_fused_gru_cell": _gru_cell,
    "_thnn_fused_gru_cell_backward": _gru_cell_backward,
    "kaiser_window": partial(_kernel, torch.ops.aten.kaiser_window.default),
    "kaiser_window.periodic": partial(_kernel, torch.ops.aten.kaiser_window.periodic),
    "kaiser_window.beta": partial(_kernel, torch.ops.aten.kaiser_window.beta),
}
