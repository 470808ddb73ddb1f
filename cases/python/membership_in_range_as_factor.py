"""
title: Whether a number is in a range, as a factor of a mask
description: >
  The membership test gives a truth value, and a mask times a truth value stays a mask.
  TorchDynamo gives the whole number 1 for it, and the mask becomes a tensor of whole numbers.
  The rewrite makes a truth value of the test.
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
