"""
title: Crop to the size of another input
description: >
  A decoder cuts its feature map to the width of a skip connection. x[:, :m] means min(m, n)
  columns, and tracing settles which of the two it is from the example: x is wider. Inputs of
  equal width, or a wider skip connection, are then outside of the capture. A mask
  compares at every call instead of once.
tags: [torch.dynamic-shape, torch.view, torch.guard]
rewrites: [dynamic_shapes/crop_to_size_of_other_input_masked]
errors: [E0103]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, skip):
        return x[:, : skip.shape[1]].sum(1) * skip.mean()


n, m = Dim("n", min=4, max=16), Dim("m", min=2, max=16)
dynamic_shapes = {"x": {1: n}, "skip": {1: m}}


def inputs(n=9, m=5):
    return torch.randn(2, n), torch.randn(2, m)
