"""
title: Output size found by running a layer on the meta device
description: >
  A meta tensor has a shape and no values, so a layer can be asked for its output size before
  memory is allocated. While tracing that question is asked with symbolic sizes. The rewrite
  computes the size by a formula.
tags: [torch.device, torch.dynamic-shape, python.context-manager]
rewrites: [devices/sizes_worked_out_by_formula]
narrower: {devices/sizes_worked_out_by_formula: signals of three or four elements}
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        with torch.device("meta"):
            pooled = torch.nn.functional.avg_pool1d(torch.empty(1, 1, x.shape[1]), 3, stride=2)
        return x.new_ones(x.shape[0], pooled.shape[-1]) * x.mean()


dynamic_shapes = {"x": {1: Dim("n", min=3, max=16)}}


def inputs(n=8):
    return torch.randn(2, n)
