"""
title: Fractional pools, pools of whole numbers and of one element
description: >
  The windows of a fractional pool have sizes that differ by one, by numbers that are given here
  in place of drawn ones.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, drawn):
        flat, places = F.fractional_max_pool2d(
            x, 2, output_ratio=(0.5, 0.6), return_indices=True, _random_samples=drawn
        )
        one = [F.adaptive_avg_pool2d(x, 2), F.adaptive_avg_pool2d(x, 1)]
        one += [F.adaptive_max_pool2d(x, 1), F.adaptive_avg_pool1d(x[0], 3)]
        uneven = [F.adaptive_avg_pool2d(x, (4, 3))]
        uneven += [F.adaptive_max_pool2d(x, (3, 4), return_indices=True)]
        divided = [F.avg_pool2d(x, 3, 2, 1, divisor_override=2)]
        divided += [F.avg_pool2d(x, 3, 2, 1, True, False)]
        rest = [F.max_pool2d(x, 3, 2, 1, ceil_mode=True, dilation=2)]
        return flat, places, one, uneven, divided, rest


dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}, "drawn": {0: Dim("n", min=2, max=8)}}


def inputs(n=7):
    return torch.randn(n, 2, 9, 8), torch.rand(n, 2, 2)
