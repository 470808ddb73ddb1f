"""
title: Type promotion of ints, bools and floats in one expression
description: >
  torch chooses the dtype of a result from those of both operands: of two integer dtypes the one
  that holds both, of an integer and a Python float the default float, of a bool and a number the
  number. A runtime with rules of its own gives another dtype, or other numbers.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, count, level, flag, half):
        with_floats = count * 0.5, level * 1.0, count / 1, flag * 2.5, half * 3.0
        with_whole = level + count, level - count.to(torch.int16), level * count[0], flag + flag
        with_truths = flag * flag, flag & count, count | flag, flag + count, ~flag ^ (count > 9)
        to_truths = torch.complex(half * 0, half).to(torch.bool), half.to(torch.bool)
        return with_floats, with_whole, with_truths, to_truths


n = Dim("n", min=2, max=32)
dynamic_shapes = {"count": {0: n}, "level": {0: n}, "flag": {0: n}, "half": {0: n}}


def inputs(n=6):
    count = torch.randint(0, 200, (n,), dtype=torch.uint8)
    level = torch.randint(-100, 100, (n,), dtype=torch.int8)
    return count, level, torch.rand(n) > 0.5, torch.randn(n)
