"""
title: associative_scan over pairs, a linear recurrence in parallel
description: >
  Two affine steps make one: their factors multiply and the later factor scales the earlier
  offset. Pairs of factor and offset can therefore be grouped in any order, which turns the
  recurrence of a state-space model into a tree. The order of the two must not be swapped.
tags: [torch.associative-scan, python.pytree, torch.recurrent]
"""

import torch
from torch._higher_order_ops import associative_scan


class Model(torch.nn.Module):
    def forward(self, factor, offset):
        def join(earlier, later):
            return earlier[0] * later[0], earlier[1] * later[0] + later[1]

        return associative_scan(join, (factor, offset), dim=0, combine_mode="generic")


def inputs():
    return torch.rand(5, 3), torch.randn(5, 3)
