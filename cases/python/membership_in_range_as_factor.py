"""
title: Result of `in range(...)` multiplied with a mask
description: >
  `in` gives a bool, and a mask times a bool stays a mask. TorchDynamo gives the integer 1 for it,
  and the mask becomes a tensor of integers. The rewrite asks a tuple instead of a range.
tags: [python.control-flow, torch.dtype]
rewrites: [python/membership_in_tuple_as_factor]
references: [pytorch#189575]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return (x > 0) * (4 in range(0, 10, 2))


def inputs():
    return torch.randn(3, 4)
