"""
title: Attention to dilated neighbours taken by unfold
description: >
  Each pixel looks at the eight around it, two apart. unfold gives them as columns of equal number
  because the padding is as wide as the dilation.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        batch, channels, height, width = x.shape
        near = F.unfold(x, 3, dilation=2, padding=2).view(batch, channels, 9, height, width)
        weights = (x.unsqueeze(2) * near).sum(1, keepdim=True).softmax(2)
        return (weights * near).sum(2)


dynamic_shapes = {"x": {0: Dim("batch", min=1, max=8), 3: Dim("width", min=3, max=16)}}


def inputs(batch=5, width=7):
    return (torch.randn(batch, 4, 6, width),)
