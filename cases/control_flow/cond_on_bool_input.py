"""
title: torch.cond with a Python bool as predicate
description: >
  The flag is a Python bool, a constant while tracing, so torch.cond chooses as an if would and
  the other branch is not in the graph. A predicate has to be a tensor, or a comparison of
  symbolic sizes, for both branches to stay.
tags: [torch.cond, torch.scalar-input, torch.specialization]
rewrites: [control_flow/cond_on_bool_tensor]
pitfalls: [dynamic_shapes/bool_input_dynamic]
errors: [E0103]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, flag):
        return torch.cond(flag, lambda x: x.sin(), lambda x: x.cos(), (x,))


def inputs():
    return torch.randn(3, 4), True


def accepts():
    yield torch.randn(3, 4), False
