"""
title: Range that begins at 2, for a branch on more than one element
description: >
  Declaring at least two elements is what tracing assumes anyway. Size 1 is now outside of the
  range: a call with it belongs to the branch that is not in the graph and has to be refused. That
  takes a check of the range when the graph runs; an exporter may leave out one that begins at 2.
advice: >
  Check the size where the capture is called: a lower end of 2 is assumed while tracing, and an
  exporter may leave the check out.
tags: [python.control-flow, torch.dynamic-shape, torch.zero-one, torch.guard]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.shape[0] >= 2 else x * 100


dynamic_shapes = {"x": {0: Dim("n", min=2)}}


def inputs(n=5):
    return torch.randn(n)
