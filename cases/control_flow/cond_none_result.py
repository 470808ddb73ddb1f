"""
title: torch.cond branches that return None beside a tensor
description: >
  An optional second result is None in both branches. A branch in a graph returns tensors, and
  None is no tensor, though nobody ever looks at it. Leave it out of the branches and add it
  after the cond.
tags: [torch.cond, python.none, torch.dynamic-shape]
rewrites: [control_flow/cond_none_added_after]
errors: [E0415]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def centred(signal):
            return signal - signal.mean(), None

        def doubled(signal):
            return signal * 2, None

        return torch.cond(x.shape[0] >= 8, centred, doubled, (x,))


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
