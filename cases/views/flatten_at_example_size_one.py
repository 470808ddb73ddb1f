"""
title: Flatten with a batch whose example has size 1
description: >
  Images are flattened by x.view(x.shape[0], -1). With an example of one image and Dim.DYNAMIC the
  batch is to vary, and the view must not take 1 for what it always is. This is where
  torch.fx.experimental._config.backed_size_oblivious, a setting that is not public, makes the
  difference: with it, 1 is a size like any other (exportdb run --switch backed-size-oblivious=on).
tags: [torch.view, torch.zero-one, torch.dim-hint, torch.specialization]
dims: {n: {min: 1, max: 12}}
rewrites: [views/flatten_at_example_size_two]
pitfalls: [dynamic_shapes/example_size_one_auto]
errors: [E0101]
allow:
  L055: the case is about an example of size 1
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.view(x.shape[0], -1) * 2


dynamic_shapes = {"x": {0: Dim.DYNAMIC}}


def inputs(n=1):
    return torch.randn(n, 3, 4)
