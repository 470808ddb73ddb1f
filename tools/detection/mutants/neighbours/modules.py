"""What a front end misses of a module: what runs around its forward, what changes a function."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
from torch.nn.utils import parametrize

from detection.kind import Kind
from detection.mutant import HIGHER_ORDER, Hit
from detection.mutants.engines.around import every_call
from detection.mutants.engines.derivatives import Under
from detection.wrapping import state_of
from exportdb.exporters.protocol import Program

around = Kind("neighbour: around a forward")
stored = Kind("neighbour: stored")
transforms = Kind("neighbour: transforms")
layers = Kind("neighbour: layers")
flow = Kind("neighbour: control flow")
context = Kind("neighbour: contexts")

Patch = contextlib.AbstractContextManager[Any]


def _patched(
    kind: Kind, says: str, words: str, needs: str = ""
) -> Callable[[Callable[..., Patch]], None]:
    """A capture that runs under ``patch(program, hit, kept)``; programs that say a word have it."""

    def add(patch: Callable[..., Patch]) -> None:
        @every_call(kind, says, words=words, needs=needs)
        def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
            with patch(program, hit, kept):
                return program.module(*args, **kwargs)

    return add


def _function(kind: Kind, says: str, name: str, words: str = "") -> Callable[[Any], None]:
    """A capture in which the function ``name`` is run by ``wrong(func, args, kwargs)``."""

    def add(wrong: Callable[..., Any]) -> None:
        _patched(kind, says, words or name)(
            lambda program, hit, kept: Under(frozenset(name.split()), wrong, hit)
        )

    return add


@contextlib.contextmanager
def _global(program: Program, name: str, wrong: Callable[..., Any]) -> Iterator[None]:
    """The function ``name`` that a program has imported is ``wrong(sound, ...)``."""
    scopes = [type(m).forward.__globals__ for m in program.module.modules()]
    found = [(scope, scope[name]) for scope in scopes if name in scope]
    for scope, sound in found:
        scope[name] = lambda *a, _s=sound, **k: wrong(_s, *a, **k)
    try:
        yield
    finally:
        for scope, sound in reversed(found):
            scope[name] = sound


# --- around a forward ---------------------------------------------------------------------------


@contextlib.contextmanager
def _without(program: Program, hit: Hit, name: str) -> Iterator[None]:
    kept = [(m, dict(getattr(m, name))) for m in program.module.modules() if getattr(m, name)]
    for module, _ in kept:
        hit()
        getattr(module, name).clear()
    try:
        yield
    finally:
        for module, hooks in kept:
            getattr(module, name).update(hooks)


HOOKS = "register_forward_hook register_forward_pre_hook"


@_patched(around, "forward hooks of submodules do not run", HOOKS)
def _(program: Program, hit: Hit, kept: Any) -> Patch:
    return _without(program, hit, "_forward_hooks")


@_patched(around, "forward pre-hooks of submodules do not run", HOOKS)
def _(program: Program, hit: Hit, kept: Any) -> Patch:
    return _without(program, hit, "_forward_pre_hooks")


@_patched(around, "a parametrised weight is computed by the first call and kept",
          "parametrize parametrizations spectral_norm weight_norm")  # fmt: skip
def _(program: Program, hit: Hit, kept: Any) -> Patch:
    if kept:
        hit()
    cache = kept.setdefault("cache", {})
    return mock.patch.multiple(parametrize, _cache_enabled=1, _cache=cache)


# --- stored -------------------------------------------------------------------------------------


def _row_by_row(t: torch.Tensor, offset: int) -> torch.Tensor | None:
    strides, size = [], 1
    for length in reversed(t.shape):
        strides.append(size)
        size *= length
    room = t.untyped_storage().nbytes() // t.element_size()
    if t.layout is not torch.strided or not t.numel() or offset + size > room:
        return None
    return t.detach().as_strided(t.shape, strides[::-1], offset)


def _state(says: str, read: Callable[[torch.Tensor], torch.Tensor | None]) -> None:
    @every_call(stored, says, when=lambda f: f.state, words="Parameter register_buffer Buffer")
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        new = {n: other for n, t in state_of(program.module).items()
               if (other := read(t)) is not None and not torch.equal(other, t)}  # fmt: skip
        if not new:
            return program.module(*args, **kwargs)
        hit()
        return torch.func.functional_call(program.module, new, args, kwargs)


_state("a tensor of the module that begins in the middle of its memory is read from the begin",
       lambda t: t.detach().as_strided(t.shape, t.stride(), 0)
       if t.layout is torch.strided and t.storage_offset() else None)  # fmt: skip
_state("a tensor of the module that is a view with gaps is read without them",
       lambda t: _row_by_row(t, t.storage_offset())
       if t.layout is torch.strided and not t.is_contiguous() else None)  # fmt: skip


# --- transforms ---------------------------------------------------------------------------------


@_patched(transforms, "functional_call runs with the module's own tensors", "functional_call")
def _(program: Program, hit: Hit, kept: Any) -> Patch:
    def own(module: Any, tensors: Any, args: Any = None, kwargs: Any = None, **_: Any) -> Any:
        hit()
        given = args if isinstance(args, tuple) else () if args is None else (args,)
        return module(*given, **(kwargs or {}))

    patch = mock.patch("torch.func.functional_call", own)
    stack = contextlib.ExitStack()
    stack.enter_context(patch)
    stack.enter_context(_global(program, "functional_call", lambda _, *a, **k: own(*a, **k)))
    return stack


def _vmap(says: str, change: Callable[[dict[str, Any]], None]) -> None:
    @_patched(transforms, says, "vmap")
    def _(program: Program, hit: Hit, kept: Any) -> Patch:
        sound = torch.vmap

        def run(func: Any, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error",
                **k: Any) -> Any:  # fmt: skip
            given = {"in_dims": in_dims, "out_dims": out_dims, "randomness": randomness, **k}
            before = dict(given)
            change(given)
            if given != before:
                hit()
            return sound(func, **given)

        stack = contextlib.ExitStack()
        stack.enter_context(mock.patch("torch.vmap", run))
        stack.enter_context(mock.patch("torch.func.vmap", run))
        stack.enter_context(_global(program, "vmap", lambda _, *a, **k: run(*a, **k)))
        return stack


_vmap("vmap puts its results along the first dim", lambda given: given.update(out_dims=0))
_vmap("vmap draws the same for every row", lambda given: given.update(
    randomness="same" if given["randomness"] == "different" else given["randomness"]))  # fmt: skip


@_patched(transforms, "a gradient that is asked for is that of the first argument",
          "grad grad_and_value jacrev jacfwd hessian")  # fmt: skip
def _(program: Program, hit: Hit, kept: Any) -> Patch:
    stack = contextlib.ExitStack()
    for name in ("grad", "grad_and_value", "jacrev", "jacfwd", "hessian"):
        sound = getattr(torch.func, name)

        def run(func: Any, argnums: Any = 0, *a: Any, _s: Any = sound, **k: Any) -> Any:
            if argnums != 0:
                hit()
            return _s(func, 0, *a, **k)

        stack.enter_context(mock.patch(f"torch.func.{name}", run))
        stack.enter_context(_global(program, name, lambda _, *a, _r=run, **k: _r(*a, **k)))
    return stack


# --- layers -------------------------------------------------------------------------------------

MHA = "MultiheadAttention TransformerEncoderLayer TransformerDecoderLayer Transformer"


@_function(layers, "a mask of keys is left out beside a mask of attention",
           "multi_head_attention_forward", MHA)  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:
    if k.get("key_padding_mask") is None or k.get("attn_mask") is None:
        return None
    return func(*a, **{**k, "key_padding_mask": None})


@_function(layers, "attention gets no row of zeros and no bias beside its keys",
           "multi_head_attention_forward", MHA)  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:
    if a[7] is None and a[8] is None and not a[9]:
        return None
    return func(*a[:7], None, None, False, *a[10:], **k)


@_function(layers, "averaged weights of attention are those of the first head",
           "multi_head_attention_forward", MHA)  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:
    if not k.get("need_weights", True) or not k.get("average_attn_weights", True):
        return None
    out, weights = func(*a, **{**k, "average_attn_weights": False})
    return None if weights is None else (out, weights.select(-3, 0))


@_function(layers, "packed sequences run over their padding", "_pack_padded_sequence",
           "pack_padded_sequence pack_sequence")  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:  # pytorch#48460
    x, lengths, batch_first = a
    longest = x.shape[1 if batch_first else 0]
    return func(x, torch.full_like(lengths, longest), batch_first)


@_function(layers, "sequences are padded with zeros whatever is asked for",
           "_pad_packed_sequence pad_sequence", "pad_packed_sequence pad_sequence")  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:
    if len(a) > 3 and a[3]:
        return func(*a[:3], 0.0, *a[4:], **k)
    if len(a) == 3 and isinstance(a[2], float) and a[2]:
        return func(*a[:2], 0.0, **k)
    return None


@_function(layers, "a norm over neighbouring channels is not divided by their number",
           "local_response_norm", "local_response_norm LocalResponseNorm")  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:
    x, size, *rest = a
    alpha = k.get("alpha", rest[0] if rest else 1e-4)
    return func(x, size, alpha * size, *rest[1:], **{n: v for n, v in k.items() if n != "alpha"})


@_function(layers, "a spectrogram is padded with zeros at its ends", "stft")
def _(func: Any, a: Any, k: Any) -> Any:
    center = k.get("center", a[5] if len(a) > 5 else True)
    if not center or k.get("pad_mode", a[6] if len(a) > 6 else "reflect") == "constant":
        return None
    return func(*a[:6], **{**k, "pad_mode": "constant"})


@_function(layers, "differences have a spacing of one", "gradient")
def _(func: Any, a: Any, k: Any) -> Any:
    spacing = k.get("spacing")
    return None if spacing in (None, 1, 1.0) else func(*a, **{**k, "spacing": 1})


# --- control flow -------------------------------------------------------------------------------


def _loop(says: str, name: str, change: Callable[[dict[str, Any]], Any]) -> None:
    @_patched(flow, says, name, needs=name if name in HIGHER_ORDER.values() else "")
    def _(program: Program, hit: Hit, kept: Any) -> Patch:
        def run(sound: Any, *a: Any, **k: Any) -> Any:
            asked = dict(inspect.signature(sound).bind(*a, **k).arguments)
            given = dict(asked)
            change(given)
            if any(given[n] is not asked[n] for n in asked):
                hit()
            return sound(**given)

        return _global(program, name, run)


def _without_argument(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda given: given.update({name: value}) if given.get(name) else None


_loop("a scan that should go backwards goes forwards", "scan", _without_argument("reverse", False))
_loop("a scan goes along the first dim", "scan", _without_argument("dim", 0))
_loop("an associative scan that should go backwards goes forwards", "associative_scan",
      _without_argument("reverse", False))  # triton#4362  # fmt: skip
_loop("an associative scan goes along the first dim", "associative_scan",
      _without_argument("dim", 0))  # fmt: skip
_loop("attention by blocks does not change its scores", "flex_attention",
      _without_argument("score_mod", None))  # fmt: skip
_loop("attention by blocks looks at all blocks", "flex_attention",
      _without_argument("block_mask", None))  # fmt: skip


# --- contexts -----------------------------------------------------------------------------------


@_patched(context, "a region of autocast is in bfloat16 whatever it asks for", "autocast")
def _(program: Program, hit: Hit, kept: Any) -> Patch:
    enter = torch.autocast.__enter__

    def entered(self: Any) -> Any:
        if self._enabled and self.fast_dtype is not torch.bfloat16:
            hit()
            self.fast_dtype = torch.bfloat16
        return enter(self)

    return mock.patch.object(torch.autocast, "__enter__", entered)


@_patched(context, "a default type that a program sets is passed over", "set_default_dtype")
def _(program: Program, hit: Hit, kept: Any) -> Patch:
    return mock.patch("torch.set_default_dtype", lambda dtype: hit())


@_patched(context, "what is drawn in fork_rng moves the caller's generator", "fork_rng")
def _(program: Program, hit: Hit, kept: Any) -> Patch:
    @contextlib.contextmanager
    def passed(*a: Any, **k: Any) -> Iterator[None]:
        hit()
        yield

    return mock.patch("torch.random.fork_rng", passed)
