"""
title: Loop with a known longest length, cut short by a value
description: >
  At most six rounds, and a tensor says how many: range() must have a number while tracing, and the
  value is not there. Since the bound is known, the rewrite always runs all six rounds and masks
  those beyond the value.
tags: [torch.item, torch.unbacked-symbol, python.control-flow]
requires: [values]
references: [pytorch#185004]
dims: {k: {min: 0, max: 6}}
rewrites: [data_dependent/loop_to_bound_with_mask]
pitfalls: [control_flow/while_on_value]
errors: [E0002]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, k):
        for i in range(k.item()):
            x = x * 0.5 + i
        return x


def inputs(k=4):
    return torch.randn(3), torch.tensor(k)
