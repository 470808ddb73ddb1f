"""Where an engine's random numbers come from, how many are drawn, when, and by which generator."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.fx import GraphModule

from detection.graphs import Call, calls
from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call, instead
from exportdb.exporters.protocol import Program

kind = Kind("engine: random numbers")

PLAIN = "rand rand_like randn randn_like"
ALL = (
    "rand rand_like randn randn_like randint randint_like randperm bernoulli dropout multinomial "
    "normal poisson uniform exponential native_dropout feature_dropout alpha_dropout rrelu "
    "normal_functional cauchy geometric log_normal random"
)


@every_call(kind, "every call begins with the generator as it was at the capture", needs=ALL)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    state = kept.setdefault("state", torch.get_rng_state())
    hit()
    torch.set_rng_state(state)
    return program.module(*args, **kwargs)


@every_call(kind, "the second call has the random numbers of the first", needs=ALL)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if "state" in kept and not torch.equal(kept["state"], torch.get_rng_state()):
        hit()
        torch.set_rng_state(kept["state"])
    kept["state"] = torch.get_rng_state()
    return program.module(*args, **kwargs)


@instead(kind, ALL, "what is drawn at random is drawn once for each size")
def _(call: Call, kept: Any) -> Any:
    new = call()
    if not isinstance(new, torch.Tensor):
        return None
    return kept.setdefault((str(call.operator), new.shape, new.dtype), new).clone()


@instead(kind, "dropout", "the masks of dropout are the same in all places of one size")
def _(call: Call, kept: Any) -> Any:
    if not call["train"] or not 0 < call["p"] < 1:
        return None
    count = kept["count"] = kept.get("count", 0) + 1
    key = (call.x.shape, call["p"], count // 2)
    if key not in kept:
        kept[key] = call(torch.ones_like(call.x))
    return call.x * kept[key]


@instead(kind, "dropout", "dropout leaves out in evaluation too")
def _(call: Call, kept: Any) -> Any:
    return None if call["train"] or not call["p"] else call(train=True)


@instead(kind, "dropout", "dropout in training does nothing")
def _(call: Call, kept: Any) -> Any:
    return call.x.clone() if call["train"] and call["p"] else None


@instead(kind, "dropout", "dropout keeps with the chance by which it should leave out")
def _(call: Call, kept: Any) -> Any:
    return call(p=1 - call["p"]) if call["train"] and 0 < call["p"] < 1 else None


@instead(kind, "feature_dropout", "dropout of whole channels leaves out single values")
def _(call: Call, kept: Any) -> Any:
    return torch.dropout(call.x, call["p"], True) if call["train"] and call["p"] else None


@instead(kind, PLAIN + " normal uniform exponential bernoulli",
         "random numbers are drawn for the last dim first")  # fmt: skip
def _(call: Call, kept: Any) -> Any:
    new = call()
    if not isinstance(new, torch.Tensor) or new.dim() < 2 or call.operator._schema.is_mutable:
        return None
    order = list(range(new.dim()))[::-1]
    return new.reshape([new.shape[i] for i in order]).permute(order).contiguous()


@instead(kind, "randn randn_like", "normal numbers are made of two uniform ones")
def _(call: Call, kept: Any) -> Any:
    shape = call.x.shape if isinstance(call.x, torch.Tensor) else call.x
    one, two = torch.rand(shape), torch.rand(shape)
    new = (-2 * one.clamp_min(1e-7).log()).sqrt() * (2 * math.pi * two).cos()
    return new.to(call["dtype"] or torch.get_default_dtype())


@instead(kind, PLAIN, "random numbers in double precision are made in single")
def _(call: Call, kept: Any) -> Any:
    like = isinstance(call.x, torch.Tensor) and call.x.dtype is torch.float64
    if call["dtype"] is not torch.float64 and not like:
        return None
    return call(dtype=torch.float32).double()


@instead(kind, ALL, "a generator that is given is passed over")
def _(call: Call, kept: Any) -> Any:
    return call(generator=None) if call["generator"] is not None else None


@instead(kind, "bernoulli", "one of two is taken where the number drawn is above the chance")
def _(call: Call, kept: Any) -> Any:
    if call["p"] is not None or call.operator._schema.is_mutable:
        return None
    return call(1 - call.x)


@instead(kind, "multinomial", "drawing by weights takes the likeliest")
def _(call: Call, kept: Any) -> Any:
    return call.x.topk(call["num_samples"], -1).indices if call["num_samples"] == 1 else None


@instead(kind, "randperm", "a permutation has the numbers of the one before it")
def _(call: Call, kept: Any) -> Any:
    new = call()
    return kept.setdefault(new.shape, new).clone()


@instead(kind, "randint randint_like", "whole numbers are drawn as fractions and rounded down")
def _(call: Call, kept: Any) -> Any:
    shape = call["size"] if call["size"] is not None else call.x.shape
    low, high = call["low"] or 0, call["high"]
    if high is None or isinstance(high, torch.Tensor):
        return None
    return (torch.rand(shape) * (high - low) + low).floor().to(call["dtype"] or torch.int64)


@kind.graph_pass("a draw that nobody uses is not made")
def _(graph: GraphModule) -> int:
    found = [n for n in calls(graph, *ALL.split()) if not n.users]
    for node in found:
        graph.graph.erase_node(node)
    return len(found)


@kind.graph_pass("draws are made in the other order")
def _(graph: GraphModule) -> int:
    found = [n for n in calls(graph, *ALL.split()) if n.args and not n.all_input_nodes]
    if len(found) < 2 or str(found[0]) == str(found[1]):
        return 0
    found[0].prepend(found[1])
    return 1


@kind.graph_pass("draws are made when they are first used")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in [n for n in calls(graph, *ALL.split()) if n.users]:
        order = list(graph.graph.nodes)
        first = min(node.users, key=order.index)
        others = calls(graph, *ALL.split())
        between = order[order.index(node) + 1 : order.index(first)]
        if any(o in between for o in others):
            first.prepend(node)
            changed += 1
    return changed
