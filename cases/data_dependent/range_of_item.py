"""
title: Python loop whose length is a value of a tensor
description: >
  range() must have a number to know how often to loop, and the value is not there while tracing.
  A loop that always runs to a fixed bound and masks the steps beyond the value has a fixed length.
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
