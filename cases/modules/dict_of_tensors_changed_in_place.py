"""
title: Tensors in a dict on self changed in place
description: >
  The dict keeps its tensors, and forward moves one of them towards the mean. The tensor is a
  constant to a capture, and one that changes at every call.
tags: [python.attribute, python.data-structure, torch.mutation]
rewrites: [mutation/buffer_in_place]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.state = {"average": torch.zeros(4)}

    def forward(self, x):
        average = self.state["average"]
        average.mul_(0.9).add_(0.1 * x.mean(0))
        return x - average


def inputs():
    return torch.randn(3, 4)
