"""
title: isinstance(True, int)
description: >
  Python's bool is a subclass of int. In TorchScript it is a type of its own, and the answer is
  no. The rewrite asks for both types.
tags: [python.control-flow]
rewrites: [python/truth_value_asked_for_both_types]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * (3 + int(isinstance(x.dim() > 1, int)))


def inputs():
    return torch.randn(5, 3)
