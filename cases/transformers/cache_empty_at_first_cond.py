"""
title: Cross-attention that chooses between cache and encoder with torch.cond
description: >
  Both ways to get the keys are branches of a cond whose condition is the size of the cache. Each
  branch attends as well, so that the results of both have one size.
advice: >
  Call it under torch.no_grad(), or detach the result: a cond asks for a gradient as soon as one
  of its branches does, and in eager only the first one does here.
tags: [torch.attention, torch.cond, torch.zero-one]
"""

import torch
from torch.export import Dim


def attend(x, keys):
    return (x @ keys.transpose(0, 1)).softmax(-1) @ keys


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(3, 3)

    def forward(self, x, encoded, cache):
        def first(x, encoded, cache):
            return attend(x, self.project(encoded))

        def later(x, encoded, cache):
            return attend(x, cache)

        return torch.cond(cache.shape[0] == 0, first, later, (x, encoded, cache))


dynamic_shapes = {"x": None, "encoded": None, "cache": {0: Dim("past", min=0, max=16)}}


def inputs(past=5):
    return torch.randn(2, 3), torch.randn(7, 3), torch.randn(past, 3)
