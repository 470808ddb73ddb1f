"""
title: masked_fill_ on a mask that to() has converted
description: >
  The mask comes as integers. to() makes a new tensor of floats, and that one is filled in place;
  the caller's mask stays as it is. transformers/mask_filled_out_of_place says the same without a
  write.
tags: [torch.attention, torch.mutation, torch.dtype]
references: [huggingface/transformers#35291]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores, mask):
        bias = mask.to(scores.dtype)
        bias.masked_fill_(mask == 0, -1e9).masked_fill_(mask == 1, 0.0)
        return (scores + bias).softmax(-1)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"scores": {1: n}, "mask": {1: n}}


def inputs(n=5):
    return torch.randn(3, n), torch.randint(2, (3, n))
