"""
title: masked_fill_ after a to() that converts nothing
description: >
  to() returns the tensor itself when it already has the type asked for, so the write that follows
  changes the caller's mask. A capture has to keep that write, although the conversion reads as if
  it made a copy.
tags: [torch.attention, torch.mutation, torch.aliasing, torch.dtype]
references: [huggingface/transformers#35291]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores, mask):
        bias = mask.to(scores.dtype)
        bias.masked_fill_(bias == 0, -1e9)
        return (scores + bias).softmax(-1)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"scores": {1: n}, "mask": {1: n}}


def inputs(n=5):
    return torch.randn(3, n), torch.randint(2, (3, n)).float()
