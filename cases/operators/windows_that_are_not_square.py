"""
title: Pooling and unfolding with another size, stride, padding and dilation for each dimension
description: >
  Height and width have arguments of their own. Where they are equal, or one number stands for
  both, nothing tells which is which.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        flat = F.max_pool2d(x, (3, 2), (2, 1), (1, 0), (1, 2))
        means = F.avg_pool2d(x, (2, 3), (1, 2), (0, 1), count_include_pad=False)
        deep = x[:, None]
        largest = F.max_pool3d(deep, (1, 3, 2), (1, 2, 1), (0, 1, 1), (1, 1, 2))
        averages = F.avg_pool3d(deep, (2, 1, 3), (1, 2, 1), (1, 0, 1))
        columns = F.unfold(x, (2, 3), dilation=(2, 1), padding=(1, 0), stride=(1, 2))
        folded = F.fold(columns, (7, 8), (2, 3), dilation=(2, 1), padding=(1, 0), stride=(1, 2))
        return flat, means, largest, averages, columns, folded


dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}


def inputs(n=5):
    return (torch.randn(n, 2, 7, 8),)
