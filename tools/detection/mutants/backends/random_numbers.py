"""Numbers that are drawn from another distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.engines.around import instead

drawn = Kind("backend: random numbers")


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
