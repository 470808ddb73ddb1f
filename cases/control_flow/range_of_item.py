"""
title: for loop over range(n) with n from item()
description: >
  range() needs a real int, and while tracing item() gives a symbol without a value. The rewrite
  counts in a tensor with while_loop, so that the number of rounds stays data.
tags: [python.control-flow, torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [control_flow/while_loop_counter]
pitfalls: [control_flow/while_on_value]
references: [pytorch#158366, pytorch#185004]
errors: [E0002]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, steps):
        for _ in range(steps.item()):
            x = torch.tanh(x) + 1
        return x.clone()


def inputs():
    return torch.randn(3, 4), torch.tensor(2)


def accepts():
    for steps in (0, 1, 5):
        yield torch.randn(3, 4), torch.tensor(steps)
