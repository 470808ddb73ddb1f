"""
title: Buffer written after torch.cond with what the branch returned
description: >
  Each branch returns what is to be added to the counter beside its result. The buffer is written
  once, outside, whichever branch ran.
tags: [torch.cond, torch.buffer, torch.mutation]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("long_calls", torch.zeros(()))

    def forward(self, x):
        def long(x):
            return x.mean(), torch.ones(())

        def short(x):
            return x.sum(), torch.zeros(())

        out, calls = torch.cond(x.shape[0] > 4, long, short, (x,))
        self.long_calls.add_(calls)
        return out + self.long_calls


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=6):
    return torch.randn(n)
