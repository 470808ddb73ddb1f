"""
title: Bool input that chooses a branch
description: >
  The flag is a Python bool, a constant while tracing, so only one branch is left. A capture made
  with True has to refuse False. Two captures, one for each flag, serve both callers.
advice: >
  Export once for each value, and let the caller choose: a bool is a constant of the graph.
tags: [torch.scalar-input, torch.specialization, python.control-flow]
pitfalls: [control_flow/cond_on_bool_input, dynamic_shapes/bool_input_dynamic]
references: [pytorch#131594]
errors: [E0103, E0501]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, normalize: bool):
        if normalize:
            x = x / (x.abs().max() + 1)
        return x * 2


def inputs():
    return torch.randn(3, 4), True


def accepts():
    yield torch.randn(3, 4), False
