"""What is right in one call and wrong around it: arguments, guards, state, memory, draws."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.graphs import Call, higher_order
from detection.mutant import Features, Hit, Kind
from detection.mutants.compiled.backward import Scaled
from detection.mutants.engines.around import every_call, instead
from detection.wrapping import (
    flat,
    has_container,
    has_input,
    inputs,
    like_example,
    on_tensors,
    output,
    outputs,
    state_of,
    storage,
    tensors,
)  # fmt: skip
from exportdb.exporters.protocol import Program

calling = Kind("backend: calling")
guards = Kind("backend: guards")
state = Kind("backend: state")
memory = Kind("backend: memory")
drawn = Kind("backend: random numbers")
flow = Kind("backend: control flow")
grown = Kind("backend: gradients")


def _run(program: Program, given: Any) -> Any:
    return program.module(*given[0], **given[1])


# --- calling ------------------------------------------------------------------------------------


@every_call(calling, "positional arguments beyond the second are in the other order")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    swapped = (*args[:1], *args[1:][::-1])
    shapes = [getattr(a, "shape", type(a)) for a in args]
    if shapes != [getattr(a, "shape", type(a)) for a in swapped] or len(args) < 3:
        return program.module(*args, **kwargs)
    hit()
    return program.module(*swapped, **kwargs)


def _tuple_of(value: Any) -> Any:
    named = isinstance(value, tuple) and hasattr(value, "_fields")
    return tuple(value) if named else None


@every_call(calling, "a named tuple among the inputs is a plain one",
            when=has_container(tuple))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def plain(value: Any) -> Any:
        new = _tuple_of(value)
        if new is None:
            return value
        hit()
        return new

    return program.module(*map(plain, args), **{k: plain(v) for k, v in kwargs.items()})


calling.call("strings among the outputs are those of an empty program",
             outputs(lambda leaf: "" if isinstance(leaf, str) and leaf else None))  # fmt: skip
calling.call("whole numbers among the outputs are 32 bits wide or wrapped", outputs(
    lambda leaf: (leaf + 2**31) % 2**32 - 2**31
    if type(leaf) is int and abs(leaf) >= 2**31 else None))  # fmt: skip
calling.call("a size of torch.Size among the outputs is a list", output(
    lambda v: list(v) if type(v) is torch.Size else
    tuple(list(e) if type(e) is torch.Size else e for e in v)
    if type(v) is tuple and any(type(e) is torch.Size for e in v) else None))  # fmt: skip
calling.call("an output in a dict of dicts is lost", output(
    lambda v: {k: (dict(list(e.items())[:-1]) if type(e) is dict and e else e)
               for k, e in v.items()}
    if type(v) is dict and any(type(e) is dict and e for e in v.values()) else None))  # fmt: skip
calling.call(
    "outputs of one element come out without dims",
    outputs(
        on_tensors(
            lambda t: t.reshape(()) if t.dim() and t.numel() == 1 and not t.is_sparse else None
        )
    ),
)
calling.call("empty outputs come out with one dim", outputs(on_tensors(
    lambda t: t.reshape(-1) if t.dim() > 1 and t.numel() == 0 else None)))  # fmt: skip
calling.call("a list of several tensors comes out as one that is stacked", output(
    lambda v: torch.stack(v) if type(v) is list and len(v) > 1
    and len({getattr(t, "shape", None) for t in v}) == 1
    and all(isinstance(t, torch.Tensor) for t in v) else None))  # fmt: skip


@every_call(calling, "what a program prints or warns of is done in the first call alone")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    import random

    if "state" not in kept:
        kept["state"] = random.getstate()
        return program.module(*args, **kwargs)
    before = random.getstate()
    out = program.module(*args, **kwargs)
    if random.getstate() != before:
        hit()
        random.setstate(before)
    return out


# --- guards -------------------------------------------------------------------------------------

guards.call("whole numbers below two among the inputs are two", inputs(
    lambda leaf: 2 if type(leaf) is int and leaf < 2 else None))  # fmt: skip
guards.call("negative numbers among the inputs are positive", inputs(
    lambda leaf: -leaf if type(leaf) in (int, float) and leaf < 0 else None))  # fmt: skip
guards.call("a float among the inputs near the example's is the example's", like_example(
    lambda leaf, example: example if type(leaf) is float and type(example) is float
    and leaf != example and abs(leaf - example) < 0.6 else None))  # fmt: skip
guards.call("a string that begins as the example's is the example's", like_example(
    lambda leaf, example: example if isinstance(leaf, str) and isinstance(example, str)
    and leaf != example and leaf[:1] == example[:1] else None))  # fmt: skip
guards.call("a string that is not known is the example's", like_example(
    lambda leaf, example: example if isinstance(leaf, str) and isinstance(example, str)
    and leaf != example else None))  # fmt: skip
guards.call("a number that is false is taken for the example's", like_example(
    lambda leaf, example: example if type(leaf) in (int, float) and not leaf and example
    else None))  # fmt: skip
guards.call("a tensor of no dims is taken for what it was as a truth", like_example(
    lambda leaf, example: example.clone() if isinstance(leaf, torch.Tensor)
    and isinstance(example, torch.Tensor) and not leaf.dim() and not example.dim()
    and leaf.dtype == example.dtype and bool(leaf != 0) == bool(example != 0)
    and bool(leaf != example) else None))  # fmt: skip


def _refused(test: Callable[[int, int], bool]) -> Any:
    """Raises where a size of an input passes ``test``, beside that of the example."""

    def make(program: Program, hit: Hit) -> Any:
        known = flat((program.args, dict(program.kwargs)))

        def run(*args: Any, **kwargs: Any) -> Any:
            given = flat((args, kwargs))
            for leaf, example in zip(given, known, strict=False):
                both = isinstance(leaf, torch.Tensor) and isinstance(example, torch.Tensor)
                if (
                    both
                    and leaf.dim() == example.dim()
                    and any(test(a, b) for a, b in zip(leaf.shape, example.shape, strict=True))
                ):
                    hit()
                    raise RuntimeError("size not supported")
            return program.module(*args, **kwargs)

        return run

    return make


guards.call("a size of one is refused where the example's is another",
            _refused(lambda a, b: a == 1 != b))  # fmt: skip
guards.call("a size of nought is refused", _refused(lambda a, b: a == 0 != b))
guards.call("an odd size is refused where the example's is even",
            _refused(lambda a, b: a % 2 > b % 2))  # fmt: skip
guards.call("sizes more than eight times the example's are refused",
            _refused(lambda a, b: b > 1 and a > 8 * b))  # fmt: skip
guards.call("a size of two is refused", _refused(lambda a, b: a == 2 != b))


@guards.call("inputs that need a gradient are refused where the example's do not")
def _(program: Program, hit: Hit) -> Any:
    known = any(t.requires_grad for t in tensors((program.args, dict(program.kwargs))))

    def run(*args: Any, **kwargs: Any) -> Any:
        if not known and any(t.requires_grad for t in tensors((args, kwargs))):
            hit()
            args, kwargs = pytree.tree_map(
                lambda v: v.detach() if isinstance(v, torch.Tensor) else v, (args, kwargs)
            )
        return program.module(*args, **kwargs)

    return run


@guards.call("a missing dim of a size of one is put in front", when=has_input(
    lambda v: isinstance(v, torch.Tensor)))  # fmt: skip
def _(program: Program, hit: Hit) -> Any:
    known = flat((program.args, dict(program.kwargs)))

    def run(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = pytree.tree_flatten((args, kwargs), is_leaf=lambda v: v is None)
        for i, (leaf, example) in enumerate(zip(leaves, known, strict=False)):
            both = isinstance(leaf, torch.Tensor) and isinstance(example, torch.Tensor)
            if both and leaf.dim() == example.dim() - 1:
                hit()
                leaves[i] = leaf.unsqueeze(0)
        return _run(program, pytree.tree_unflatten(leaves, spec))

    return run


# --- state --------------------------------------------------------------------------------------


def _changes(features: Features) -> bool:
    return features.changes_state


def _buffers(module: Any) -> dict[str, torch.Tensor]:
    return {n: b for n, b in module.named_buffers() if b.layout is torch.strided}


@every_call(state, "a buffer moves halfway to its new value", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in _buffers(program.module).items()}
    out = program.module(*args, **kwargs)
    for name, buffer in _buffers(program.module).items():
        old = before.get(name)
        if old is None or old.shape != buffer.shape or not buffer.is_floating_point():
            continue
        if not torch.equal(old, buffer):
            hit()
            with torch.no_grad():
                buffer.copy_((old + buffer) / 2)
    return out


@every_call(state, "state is written back for the first buffer alone", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in _buffers(program.module).items()}
    out = program.module(*args, **kwargs)
    changed = [
        n
        for n, b in _buffers(program.module).items()
        if n in before and before[n].shape == b.shape and not torch.equal(before[n], b)
    ]
    for name in changed[1:]:  # fmt: skip
        hit()
        with torch.no_grad():
            _buffers(program.module)[name].copy_(before[name])
    return out


@every_call(state, "a write to state is undone when the call raises, and else made after it",
            when=_changes)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in _buffers(program.module).items()}
    try:
        return program.module(*args, **kwargs)
    except Exception:
        for name, buffer in _buffers(program.module).items():
            if name in before and not torch.equal(before[name], buffer):
                hit()
                with torch.no_grad():
                    buffer.copy_(before[name])
        raise


@state.call("what the program keeps in attributes is copied by the capture")
def _(program: Program, hit: Hit) -> Any:
    module = copy.deepcopy(program.module)
    own = state_of(program.module)
    for name, tensor in own.items():
        *path, last = name.split(".")
        owner = module.get_submodule(".".join(path))
        if last in owner._parameters:
            owner._parameters[last] = tensor
        else:
            owner._buffers[last] = tensor

    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        return module(*args, **kwargs)

    return run


@every_call(state, "a buffer of whole numbers goes up once more", when=_changes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = {n: b.detach().clone() for n, b in _buffers(program.module).items()}
    out = program.module(*args, **kwargs)
    for name, buffer in _buffers(program.module).items():
        old = before.get(name)
        if old is not None and buffer.dtype is torch.int64 and not torch.equal(old, buffer):
            hit()
            buffer.add_(1)
    return out


# --- memory -------------------------------------------------------------------------------------


def _own(leaf: Any, known: Any) -> bool:
    return (isinstance(leaf, torch.Tensor) and leaf.layout is torch.strided
            and not leaf.is_meta and not leaf.requires_grad and leaf.numel() > 0
            and storage(leaf) not in known)  # fmt: skip


@every_call(memory, "of two buffers of outputs each is used again two calls later")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known = {storage(t) for t in [*tensors((args, kwargs)), *state_of(program.module).values()]}
    kept["call"] = kept.get("call", 0) + 1
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    for i, leaf in enumerate(leaves):
        if not _own(leaf, known):
            continue
        key = (i, kept["call"] % 2, leaf.shape, leaf.dtype, leaf.stride())
        if key in kept:
            hit()
            leaves[i] = kept[key].copy_(leaf)
        kept[key] = leaves[i]
    return pytree.tree_unflatten(leaves, spec)


@every_call(memory, "the last output is overwritten as soon as another call begins")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known = {storage(t) for t in [*tensors((args, kwargs)), *state_of(program.module).values()]}
    if kept.get("last") is not None:
        hit()
        kept["last"].zero_()
    out = program.module(*args, **kwargs)
    own = [t for t in tensors(out) if _own(t, known)]
    kept["last"] = own[-1] if own else None
    return out


@every_call(memory, "inputs are kept, and the next call is given them where they are as large")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = tensors((args, kwargs))
    plain = all(not t.requires_grad and t.layout is torch.strided and not t.is_meta
                and type(t) is torch.Tensor for t in given)  # fmt: skip
    key = str([(t.shape, t.dtype) for t in given])
    if (
        plain
        and given
        and given[-1].numel()
        and key in kept
        and not torch.equal(kept[key], given[-1])
    ):
        hit()
        leaves, spec = pytree.tree_flatten((args, kwargs))
        at = max(i for i, v in enumerate(leaves) if isinstance(v, torch.Tensor))
        leaves[at] = kept[key].clone()
        return _run(program, pytree.tree_unflatten(leaves, spec))
    if plain and given:
        kept[key] = given[-1].clone()
    return program.module(*args, **kwargs)


memory.call("outputs in half precision or of bools lie in memory twice as large", outputs(
    on_tensors(lambda t: t.new_empty(2 * t.numel() + 1)[1:t.numel() + 1].view(t.shape).copy_(t)
               if t.dtype in (torch.bool, torch.float16, torch.bfloat16) and t.is_contiguous()
               and not t.requires_grad and t.numel() > 1 else None)))  # fmt: skip
memory.call("outputs of five dims have their channels last", outputs(on_tensors(
    lambda t: t.contiguous(memory_format=torch.channels_last_3d) if t.dim() == 5
    and t.layout is torch.strided else None)))  # fmt: skip
memory.call("outputs of three dims lie with the first two turned", outputs(on_tensors(
    lambda t: t.transpose(0, 1).contiguous().transpose(0, 1) if t.dim() == 3
    and t.layout is torch.strided and min(t.shape[:2]) > 1 else None)))  # fmt: skip
memory.call("the last element of outputs longer than sixty is not written", outputs(on_tensors(
    lambda t: torch.cat([t.reshape(-1)[:-1], t.new_zeros(1)]).view(t.shape)
    if t.numel() > 60 and t.layout is torch.strided and not t.is_meta else None)))  # fmt: skip


# --- random numbers -----------------------------------------------------------------------------


def _with_draw(names: str, says: str, wrong: Callable[[Call, Any], Any]) -> None:
    instead(drawn, names, says)(wrong)


_with_draw("exponential", "the rate of exponential numbers is one",
           lambda call, kept: call(lambd=1.0) if call["lambd"] != 1.0 else None)  # fmt: skip
_with_draw("geometric cauchy log_normal poisson", "rare draws are uniform",
           lambda call, kept: call.x.uniform_() if call.operator._schema.is_mutable
           else torch.rand_like(call.x))  # fmt: skip
_with_draw("normal normal_", "the spread of normal numbers is one",
           lambda call, kept: call(std=1.0) if isinstance(call["std"], float)
           and call["std"] != 1.0 else None)  # fmt: skip
_with_draw("uniform", "uniform numbers begin at nought",
           lambda call, kept: call(**{"from": 0.0}) if call["from"] else None)  # fmt: skip
_with_draw("multinomial", "what is drawn without replacement is drawn with it",
           lambda call, kept: call(replacement=True) if not call["replacement"]
           and call["num_samples"] > 1 else None)  # fmt: skip
_with_draw("alpha_dropout feature_alpha_dropout", "what alpha dropout leaves out is nought",
           lambda call, kept: torch.dropout(call.x, call["p"], True)
           if call["train"] and call["p"] else None)  # fmt: skip
_with_draw(
    "rrelu rrelu_with_noise",
    "random slopes are their mean in training",
    lambda call, kept: (
        torch.nn.functional.leaky_relu(call.x, (call["lower"] + call["upper"]) / 2)
        if call["training"]
        else None
    ),
)
_with_draw("rand randn", "random numbers of a dtype are those of the default one",
           lambda call, kept: call(dtype=None).to(call["dtype"])
           if call["dtype"] not in (None, torch.float32) else None)  # fmt: skip
_with_draw("bernoulli", "a chance for each element is the mean chance",
           lambda call, kept: call(call.x.mean().expand_as(call.x))
           if call["p"] is None and not call.operator._schema.is_mutable else None)  # fmt: skip
_with_draw("randperm", "a permutation keeps its last element",
           lambda call, kept: torch.cat([call(n=call["n"] - 1), torch.tensor([call["n"] - 1])])
           if call["n"] > 1 else None)  # fmt: skip


# --- control flow -------------------------------------------------------------------------------


def _inverse(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    """Both branches run, and what they write stays."""
    sound(torch.tensor(not bool(condition)), yes, no, operands)
    return sound(condition, yes, no, operands)


def _late(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    """The condition is asked of what was carried the turn before."""
    now, before = tuple(carried), tuple(carried)
    while bool(condition(*before, *more)):
        now, before = tuple(body(*now, *more)), now
    return now


def _no_more(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    rounded = [x.round() if x.is_floating_point() else x for x in init]
    return sound(combine, rounded, xs, more)


def _half_map(sound: Any, body: Any, xs: Any, more: Any = ()) -> Any:
    out = sound(body, xs, more)
    n = (xs[0].shape[0] + 1) // 2
    return pytree.tree_map(
        lambda t: torch.cat([t[:n], t[: t.shape[0] - n]]) if isinstance(t, torch.Tensor) else t, out
    )


for _says, _name, _wrong in [
    ("both branches run, and write what they write", "cond", _inverse),
    ("the condition of a loop is asked of the values before", "while_loop", _late),
    ("a scan begins with whole numbers", "scan", _no_more),
    ("the second half of a map has the values of the first", "map_impl", _half_map),
]:
    higher_order(flow, _says, _name, _wrong, _name)


# --- gradients ----------------------------------------------------------------------------------


def _backwards(says: str, change: Callable[[torch.Tensor], Any], test: Any = None) -> None:
    def of(leaf: torch.Tensor) -> Any:
        if not leaf.requires_grad or (test is not None and not test(leaf)):
            return None
        return Scaled.apply(leaf, change)

    grown.call(says, outputs(on_tensors(of)), base="gradients")


_backwards("gradients of several dims come back turned where that fits",
           lambda g: g.mT if g.dim() == 2 and g.shape[0] == g.shape[1] else g)  # fmt: skip
_backwards("gradients are rounded to three digits", lambda g: (g * 1000).round() / 1000)
_backwards("gradients of one number are one",
           lambda g: torch.ones_like(g), lambda t: t.numel() == 1)  # fmt: skip
_backwards("gradients of the first output row come to all",
           lambda g: g[:1].expand_as(g) if g.dim() else g)  # fmt: skip
_backwards("negative gradients are nought", lambda g: g.clamp(min=0) if not g.is_complex() else g)


def _leaves(says: str, change: Callable[[torch.Tensor], Any], test: Callable[[Any], bool]) -> None:
    """What comes back to inputs that pass ``test`` is changed."""

    def of(leaf: torch.Tensor) -> Any:
        return Scaled.apply(leaf, change) if leaf.requires_grad and test(leaf) else None

    grown.call(says, inputs(on_tensors(of)), base="gradients",
               when=lambda f: f.train)  # fmt: skip


_leaves("no gradient reaches inputs of two dims or more", torch.zeros_like, lambda t: t.dim() > 1)
_leaves("what comes back to inputs is the sum of it", lambda g: g.sum().expand_as(g),
        lambda t: t.numel() > 1)  # fmt: skip


@grown.call("parameters used by two modules have the gradient of one half", base="gradients",
            when=lambda f: f.train and f.state)  # fmt: skip
def _(program: Program, hit: Hit) -> Any:
    named = list(program.module.named_parameters(remove_duplicate=False))
    seen = [id(p) for _, p in named]
    shared = {n: p for n, p in named if seen.count(id(p)) > 1}

    def run(*args: Any, **kwargs: Any) -> Any:
        if not shared:
            return program.module(*args, **kwargs)
        hit()
        changed = {n: Scaled.apply(p, lambda g: g / 2) for n, p in shared.items()}
        return torch.func.functional_call(program.module, changed, args, kwargs, tie_weights=False)

    return run


@grown.call("biases and other parameters of one dim are frozen", base="gradients",
            when=lambda f: f.train and f.state)  # fmt: skip
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        frozen = {n: p.detach() for n, p in program.module.named_parameters() if p.dim() == 1}
        if frozen:
            hit()
        return torch.func.functional_call(program.module, frozen, args, kwargs)

    return run
