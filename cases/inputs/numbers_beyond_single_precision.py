"""
title: Numbers of full precision given beside tensors
description: >
  An identifier above 2**53, a time in seconds and a factor of double precision are plain Python
  numbers or tensors of 64 bits. Whoever passes them on as int32, float32 or float64 changes them
  in the last digits, which a difference shows.
tags: [python.builtin, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, ids, times, first, start, factor):
        order = ids - first, ids == first, ids > first, (ids - first).argmax()
        late = times - start, (times > start).sum(), times * factor - times * 0.1
        return order, late, torch.where(times > start, ids, first) - ids.amin()


n = Dim("n", min=1, max=64)
dynamic_shapes = {"ids": {0: n}, "times": {0: n}, "first": None, "start": None, "factor": None}


def inputs(n=5):
    ids = torch.randint(-9, 9, (n,)) + (2**60 + 1)
    times = torch.rand(n, dtype=torch.float64) * 1e-4 + 1.7e9
    return ids, times, 2**60 + 1, 1.7e9 + 5e-5, 0.1 + 1e-12
