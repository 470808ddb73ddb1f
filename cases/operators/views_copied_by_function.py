"""
title: Copies made by torch.view_copy and its like
description: >
  Each gives what the view of that name gives, in memory of its own: a write to the result must
  not be seen in what it was made of.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        turned = torch.transpose_copy(x, 0, 1), torch.permute_copy(x, (2, 0, 1)), torch.t_copy(x[0])
        sized = [torch.view_copy(x, (-1, 4)), torch.expand_copy(x[:, :1], (-1, 3, 4))]
        sized += [torch.unsqueeze_copy(x, -1)]
        parts = [torch.narrow_copy(x, 1, 1, 2), torch.select_copy(x, -2, 1)]
        parts += [torch.slice_copy(x, 2, 0, 4, 3)]
        listed = [torch.unbind_copy(x, 1), torch.split_copy(x, 2, 2)]
        listed += [torch.split_with_sizes_copy(x, [1, 2], 1)]
        rest = [torch.squeeze_copy(x[:, :1]), torch.diagonal_copy(x, 1, 1, 2)]
        rest += [torch.alias_copy(x), torch.detach_copy(x)]
        for copy in (*turned, *sized, *parts, *listed[0], *rest):
            copy.add_(1)
        return turned, sized, parts, listed, rest, x * 2


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return (torch.randn(n, 3, 4),)
