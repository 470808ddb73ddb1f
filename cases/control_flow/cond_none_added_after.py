"""
title: None added to the result after torch.cond
description: >
  The branches return one tensor each; the None that callers expect is put beside it by Python.
tags: [torch.cond, python.none, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        def centred(signal):
            return signal - signal.mean()

        def doubled(signal):
            return signal * 2

        return torch.cond(x.shape[0] >= 8, centred, doubled, (x,)), None


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n)
