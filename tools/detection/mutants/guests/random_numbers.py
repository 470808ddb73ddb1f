"""The state of the generator, and random operators with other numbers than were asked for."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from detection.graphs import Call
from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call
from exportdb.exporters.protocol import Program

draws = Kind("guest: random")


@every_call(draws, "a call leaves the generator as it was")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    before = torch.get_rng_state()
    out = program.module(*args, **kwargs)
    if not torch.equal(before, torch.get_rng_state()):
        hit()
        torch.set_rng_state(before)
    return out


@draws.call("a call draws once more at its end")
def _(program: Program, hit: Hit) -> Any:
    torch.rand(1)

    def run(*args: Any, **kwargs: Any) -> Any:
        before = torch.get_rng_state()
        out = program.module(*args, **kwargs)
        if not torch.equal(before, torch.get_rng_state()):
            hit()
            torch.rand(1)
        return out

    return run


@draws.call(
    "all calls begin with the seed of the capture",
    when=lambda f: not f.changes_inputs and not f.changes_state,
)
def _(program: Program, hit: Hit) -> Any:
    seed = 1234

    def run(*args: Any, **kwargs: Any) -> Any:
        before = torch.get_rng_state()
        out = program.module(*args, **kwargs)
        if not torch.equal(before, torch.get_rng_state()):
            hit()
            torch.manual_seed(seed)
            out = program.module(*args, **kwargs)
        return out

    return run


@draws.lowering("feature_dropout", "feature dropout drops elements")
def _(call: Call) -> Any:
    if not (call["train"] and 0 < call["p"] < 1):
        return None
    return functional.dropout(call.x, call["p"], True)


@draws.lowering("alpha_dropout", "alpha dropout drops to zero")
def _(call: Call) -> Any:
    if not (call["train"] and 0 < call["p"] < 1):
        return None
    return functional.dropout(call.x, call["p"], True)


draws.lowering(
    "normal randn_like randn", "normal numbers have twice the spread", lambda call: call() * 2
)
draws.lowering(
    "rand_like rand uniform",
    "uniform numbers include one in place of zero",
    lambda call: 1 - call() if call.operator.name().startswith("aten::rand") else None,
)
draws.lowering(
    "multinomial",
    "multinomial is with replacement always",
    lambda call: call(replacement=True) if not call["replacement"] else None,
)


@draws.lowering("rrelu", "rrelu takes the mean slope in training too")
def _(call: Call) -> Any:
    if not call["training"]:
        return None
    return functional.leaky_relu(call.x, (call["lower"] + call["upper"]) / 2)
