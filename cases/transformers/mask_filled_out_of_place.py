"""
title: Additive mask made with masked_fill
description: >
  A tensor of zeros in the shape and type of the scores is filled where the mask says so; the
  result is a new tensor, and nothing is written in place.
tags: [torch.attention, torch.dtype]
references: [huggingface/transformers#35291]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores, mask):
        bias = torch.zeros_like(scores).masked_fill(mask == 0, -1e9)
        return (scores + bias).softmax(-1)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"scores": {1: n}, "mask": {1: n}}


def inputs(n=5):
    return torch.randn(3, n), torch.randint(2, (3, n))
