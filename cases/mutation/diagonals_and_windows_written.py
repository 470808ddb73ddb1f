"""
title: diagonal_scatter and as_strided_scatter
description: >
  Both give a copy in which a diagonal between two dimensions, or a strided window from an offset
  on, is replaced. The original stays as it was.
tags: [torch.operator, torch.scatter, torch.view]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, line):
        crossed = x.diagonal_scatter(line.expand(3, 3), 1, dim1=0, dim2=2)
        window = x.as_strided_scatter(torch.stack([line, -line]), (2, 3), (12, 1), 5)
        rows = (
            x.select_scatter(line.expand(3, 3) * 2, 2, 1),
            x.slice_scatter(x[:, ::2] * 0, 1, 0, 3, 2),
        )
        return crossed, window, rows, line.diagflat(-1), line.diag_embed(1, 0, 1), x + 0


def inputs():
    return torch.randn(3, 3, 4), torch.randn(3)
