"""
title: stack, hstack, tile, meshgrid, cartesian_prod and repeat_interleave
description: >
  hstack, vstack and dstack join vectors along another dimension than matrices; tile repeats the
  whole and repeat_interleave each value; meshgrid has two conventions of indexing.
tags: [torch.sweep, torch.view, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        joined = torch.hstack((x, x)), torch.vstack((x, y)), torch.dstack((x, x)), torch.cat((x, y))
        columns = torch.column_stack((x[:, 0], x)), torch.stack((x, x), -1), x.tile(2, 3)
        grids = (
            torch.meshgrid(x[:, 0], y[:, 0], indexing="xy"),
            torch.cartesian_prod(x[:, 0], y[:, 1]),
        )
        again = x.repeat(2, 1, 2), x.repeat_interleave(2, 0)
        return joined, columns, grids, again, torch.broadcast_to(x[:1], (4, 3)), torch.atleast_3d(x)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}, "y": {0: Dim("m", min=1, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(n, 3), torch.randn(m, 3)
