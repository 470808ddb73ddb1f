"""
title: Check of a shape with torch._check and a constant message
description: >
  The condition is given to torch._check, and the message as a function that returns a constant. The
  condition stays in the capture, without a branch of Python's.
tags: [torch.check, torch.dynamic-shape]
rewrites: [detection/check_without_message]
references: [pytorch#108805]
errors: [E0631]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, image, boxes):
        torch._check(boxes.shape[0] <= image.shape[1], lambda: "more boxes than rows")
        return boxes / image.shape[1]


rows, n = Dim("rows", min=16, max=64), Dim("n", min=1, max=16)
dynamic_shapes = {"image": {1: rows}, "boxes": {0: n}}


def inputs(rows=32, n=5):
    return torch.randn(3, rows, 24), torch.rand(n, 4)


def rejects():
    yield torch.randn(3, 16, 24), torch.rand(17, 4)
