"""
title: Causal convolution by padding on the left, or by cutting off the end
description: >
  Padding that is put before the layer and padding of the layer are one only if both sides get as
  much. A convolution that pads both sides and is cut behind is causal as well; the part cut off
  is not the padding.
tags: [torch.module, torch.decomposition, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Conv1d(3, 4, 2, dilation=3)
        self.padded = torch.nn.Conv1d(4, 6, 3, padding=2)
        self.both = torch.nn.Conv1d(6, 2, 3, padding=1)

    def forward(self, x):
        left = self.layer(F.pad(x, (3, 0)))
        cut = self.padded(left)[..., :-2]
        return left, cut, self.both(F.pad(cut, (1, 1))), self.both(F.pad(cut, (0, 2), "replicate"))


dynamic_shapes = {"x": {2: Dim("t", min=2, max=32)}}


def inputs(t=9):
    return (torch.randn(2, 3, t),)
