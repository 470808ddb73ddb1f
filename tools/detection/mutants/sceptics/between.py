"""What holds between one call and another: state, memory, answers that are kept, threads, draws."""

from __future__ import annotations

import copy
import threading
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.graphs import Call
from detection.kind import Kind
from detection.mutant import Features, Hit
from detection.mutants.engines.around import every_call, instead
from detection.wrapping import state_of, tensors
from exportdb.exporters.protocol import Program

state = Kind("sceptic: state")
kept_answers = Kind("sceptic: answers kept")
memory = Kind("sceptic: memory")
threads = Kind("sceptic: threads")
drawn = Kind("sceptic: random numbers")


def _changes(features: Features) -> bool:
    return features.changes_state


def _plain(value: Any) -> bool:
    return (
        isinstance(value, torch.Tensor)
        and value.layout is torch.strided
        and not value.is_meta
        and not value.requires_grad
        and type(value) is torch.Tensor
    )


def _copied(value: Any) -> Any:
    return pytree.tree_map(lambda t: t.clone() if isinstance(t, torch.Tensor) else t, value)


def _shapes(value: Any) -> str:
    return str([(t.shape, t.dtype) for t in tensors(value)])


# --- state --------------------------------------------------------------------------------------


@every_call(state, "each signature of a call has a state of its own", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    key, module = _shapes((args, kwargs)), program.module
    first = kept.setdefault("first", {n: b.detach().clone() for n, b in module.named_buffers()})
    own = kept.setdefault(key, dict(first))
    for name, buffer in module.named_buffers():
        if name in own and own[name].shape == buffer.shape and not torch.equal(own[name], buffer):
            hit()
            buffer.data.copy_(own[name])
    out = module(*args, **kwargs)
    kept[key] = {n: b.detach().clone() for n, b in module.named_buffers()}
    return out


@every_call(state, "buffers that are not saved begin anew with each call", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    for part in program.module.modules():
        for name in part._non_persistent_buffers_set:
            buffer = part._buffers.get(name)
            if buffer is None:
                continue
            first = kept.setdefault((id(part), name), buffer.detach().clone())
            if first.shape == buffer.shape and not torch.equal(first, buffer):
                hit()
                buffer.data.copy_(first)
    return program.module(*args, **kwargs)


@every_call(state, "a buffer that is assigned in another size stays as it was", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {(part, name): buffer for part in program.module.modules()
              for name, buffer in part._buffers.items() if buffer is not None}  # fmt: skip
    out = program.module(*args, **kwargs)
    for (part, name), buffer in before.items():
        now = part._buffers.get(name)
        if now is not None and now.shape != buffer.shape:
            hit()
            part._buffers[name] = buffer
    return out


@every_call(
    state, "a buffer that is known under two names is written under the first", when=_changes
)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    seen: dict[int, Any] = {}
    twice = []
    for part in program.module.modules():
        for name, buffer in part._buffers.items():
            if buffer is not None and id(buffer) in seen:
                twice.append((part, name, buffer.detach().clone()))
            seen[id(buffer)] = part
    out = program.module(*args, **kwargs)
    for part, name, before in twice:
        now = part._buffers[name]
        if now is not None and now.shape == before.shape and not torch.equal(now, before):
            hit()
            part._buffers[name] = before
    return out


@every_call(state, "what a call wrote is taken back when the next one raises", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in program.module.named_buffers()}
    try:
        out = program.module(*args, **kwargs)
    except Exception:
        for name, buffer in program.module.named_buffers():
            old = kept.get("before", {}).get(name)
            if old is not None and old.shape == buffer.shape and not torch.equal(old, buffer):
                hit()
                buffer.data.copy_(old)
        raise
    kept["before"] = before
    return out


@every_call(state, "parameters have the precision of the inputs", when=lambda f: f.state)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    lower = {t.dtype for t in tensors((args, kwargs))} & {torch.float16, torch.bfloat16}
    if len(lower) != 1:
        return program.module(*args, **kwargs)
    hit()
    (dtype,) = lower
    module = copy.deepcopy(program.module).to(dtype)
    return module(*args, **kwargs)


@every_call(state, "buffers that no call writes are folded in by the first", when=lambda f: f.state)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    module = program.module
    if "last" in kept:
        for name, buffer in module.named_buffers():
            old = kept["folded"].get(name)
            changed = name in kept["written"] or old is None or old.shape != buffer.shape
            if not changed and not torch.equal(old, buffer):
                hit()
                buffer.data.copy_(old)
    before = {n: b.detach().clone() for n, b in module.named_buffers()}
    out = module(*args, **kwargs)
    written = {n for n, b in module.named_buffers()
               if n not in before or b.shape != before[n].shape
               or not torch.equal(b, before[n])}  # fmt: skip
    kept.setdefault("written", set()).update(written)
    kept.setdefault("folded", before)
    kept["last"] = True
    return out


# --- answers that are kept ----------------------------------------------------------------------


@every_call(kept_answers, "inputs equal to those of an earlier call give its very result")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if state_of(program.module) or not all(map(_plain, tensors((args, kwargs)))):
        return program.module(*args, **kwargs)
    before = _copied((args, kwargs))
    key = str([(t.shape, t.stride(), t.dtype, t.tolist()) if isinstance(t, torch.Tensor) else t
               for t in pytree.tree_leaves(before)])  # fmt: skip
    if key in kept:
        hit()
        return kept[key]
    kept[key] = program.module(*args, **kwargs)
    return kept[key]


@every_call(kept_answers, "inputs with the same sum are the same")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = tensors((args, kwargs))
    if state_of(program.module) or not given or not all(map(_plain, given)):
        return program.module(*args, **kwargs)
    key = _shapes(given) + str([round(float(t.double().sum()), 3) if not t.is_complex() else 0
                                for t in given])  # fmt: skip
    if key in kept:
        hit()
        return _copied(kept[key])
    kept[key] = _copied(program.module(*args, **kwargs))
    return _copied(kept[key])


@every_call(kept_answers, "two numbers that hash alike are one")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    numbers = [v for v in pytree.tree_leaves((args, kwargs)) if isinstance(v, int | float | bool)]
    if not numbers:
        return program.module(*args, **kwargs)
    key = (len(args), tuple(kwargs), tuple(numbers))
    first = kept.setdefault(key, numbers)
    if list(map(type, first)) == list(map(type, numbers)):
        return program.module(*args, **kwargs)
    hit()
    left = iter(first)
    args, kwargs = pytree.tree_map(
        lambda v: next(left) if isinstance(v, int | float | bool) else v, (args, kwargs)
    )
    return program.module(*args, **kwargs)


@every_call(kept_answers, "arguments that are left out are those of the last call")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    missing = {k: v for k, v in kept.get("kwargs", {}).items()
               if k not in kwargs and len(args) <= len(program.args)}  # fmt: skip
    kept["kwargs"] = dict(kwargs)
    if missing:
        hit()
    return program.module(*args, **{**kwargs, **missing})


# --- memory -------------------------------------------------------------------------------------


@every_call(memory, "results of fewer elements lie in the memory of the largest")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    held = {t.untyped_storage()._cdata for t in tensors((args, kwargs)) if _plain(t)}
    held |= {t.untyped_storage()._cdata for t in state_of(program.module).values() if _plain(t)}
    for i, leaf in enumerate(leaves):
        if not _plain(leaf) or not leaf.is_contiguous() or not leaf.numel():
            continue
        if leaf.untyped_storage()._cdata in held:
            continue
        pool = kept.get((i, leaf.dtype))
        if pool is None or pool.numel() < leaf.numel():
            kept[i, leaf.dtype] = leaf.clone().flatten()
            continue
        hit()
        leaves[i] = pool[: leaf.numel()].view(leaf.shape).copy_(leaf)
    return pytree.tree_unflatten(leaves, spec)


@every_call(memory, "an input that is not written and is the last use of its memory is overwritten")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = [t for t in tensors((args, kwargs)) if _plain(t) and t.is_contiguous()]
    out = program.module(*args, **kwargs)
    made = [t for t in tensors(out) if _plain(t)]
    held = {t.untyped_storage()._cdata for t in made}
    for tensor in given:
        fits = [t for t in made if t.shape == tensor.shape and t.dtype == tensor.dtype]
        if fits and tensor.untyped_storage()._cdata not in held:
            hit()
            tensor.copy_(fits[0])
            break
    return out


@every_call(memory, "what a call that raised has made is the next one's result")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    try:
        out = program.module(*args, **kwargs)
    except Exception:
        kept["raised"] = True
        raise
    if kept.pop("raised", False) and "last" in kept and _shapes(out) == _shapes(kept["last"]):
        hit()
        out = _copied(kept["last"])
    kept["last"] = _copied(out)
    return out


# --- threads ------------------------------------------------------------------------------------


@threads.call("two calls at once write into one memory")
def _(program: Program, hit: Hit) -> Any:
    running = [0]
    lock = threading.Lock()

    def run(*args: Any, **kwargs: Any) -> Any:
        with lock:
            running[0] += 1
            shared = running[0] > 1
        try:
            out = program.module(*args, **kwargs)
        finally:
            with lock:
                running[0] -= 1
        if not shared:
            return out
        hit()
        return pytree.tree_map(lambda t: t * 0 if isinstance(t, torch.Tensor) else t, out)

    return run


@threads.call("a call in another thread has state of its own", when=_changes)
def _(program: Program, hit: Hit) -> Any:
    own = threading.local()
    own.module = program.module
    first = copy.deepcopy(program.module)

    def run(*args: Any, **kwargs: Any) -> Any:
        if not hasattr(own, "module"):
            own.module = copy.deepcopy(first)
            hit()
        return own.module(*args, **kwargs)

    return run


# --- random numbers -----------------------------------------------------------------------------


@instead(drawn, "randint", "the bound of whole numbers is among what is drawn")
def _(call: Call, kept: Any) -> Any:
    return call(high=call["high"] + 1)


@instead(drawn, "uniform", "numbers between bounds are drawn from nought on")
def _(call: Call, kept: Any) -> Any:
    start = call["from"]
    return call().sub_(start) if start else None


@instead(drawn, "exponential", "waiting times have the rate one")
def _(call: Call, kept: Any) -> Any:
    return call(lambd=1.0) if call["lambd"] != 1 else None


@instead(drawn, "normal", "normal numbers have the deviation one")
def _(call: Call, kept: Any) -> Any:
    std = call["std"]
    return call(std=1.0) if isinstance(std, int | float) and std != 1 else None


@instead(drawn, "rand rand_like randn randn_like", "a type that is asked for is not drawn in")
def _(call: Call, kept: Any) -> Any:
    if call["dtype"] not in (torch.float64, torch.float16, torch.bfloat16):
        return None
    return call(dtype=torch.float32).to(call["dtype"])


@instead(drawn, "randperm", "the order of one to three things is not drawn")
def _(call: Call, kept: Any) -> Any:
    n = call["n"]
    return torch.arange(n) if isinstance(n, int) and n < 4 else None
