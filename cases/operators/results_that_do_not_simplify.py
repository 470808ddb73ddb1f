"""
title: Expressions that look as if they could be simplified
description: >
  A whole division times its divisor is not what was divided, a sum of logarithms exists where that
  of the product does not, a choice within a choice has three results, and parts that are joined
  along another dimension are not the whole.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, whole):
        multiples = whole // 3 * 3, torch.div(whole, 4, rounding_mode="trunc") * 4, whole % 6 % 4
        logarithms = x.log() + (x - 1).log(), (x * x - x).log(), x.exp().log2()
        chosen = torch.where(x > 0, torch.where(x > 1, x, 5.0), -x)
        joined = torch.cat(x.chunk(2, 1), 0), torch.cat(x.split(2, 1)[::-1], 1)
        lone = x.max(1)[1], x.sort(0)[1], x.topk(2, 1)[1], x.median(0)[1]
        return multiples, logarithms, chosen, joined, lone, (x > 0) + True, (x > 1) * True


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {0: n}, "whole": {0: n}}


def inputs(n=5):
    return torch.randn(n, 4), torch.arange(n) - 2


def accepts():
    yield torch.full((3, 4), 1e30), torch.tensor([-7, 7, 3])
