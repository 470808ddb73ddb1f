"""
title: Python if on a float read with item()
description: >
  Of a tensor of floats item() gives a symbol for a float, which has no value and no range while
  tracing, and the if still needs a bool. What differs from an int is only the error message.
tags: [python.control-flow, torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [control_flow/cond_on_value, control_flow/where_on_value]
pitfalls: [data_dependent/fallback_guard_or_false]
references: [pytorch#157355, pytorch#173915]
errors: [E0001, E0015]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if x.sum().item() > 0:
            return x.sin()
        else:
            return x.cos()


def inputs():
    return (torch.rand(3, 4),)


def accepts():
    yield (torch.rand(3, 4) + 1,)
    yield (-torch.rand(3, 4),)
    yield (torch.zeros(3, 4),)
