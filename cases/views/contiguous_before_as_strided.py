"""
title: contiguous() before as_strided, with a later input of another layout
description: >
  After contiguous() the elements lie row by row, and as_strided reads every fifth of them, the
  diagonal. A capture that leaves contiguous() away, because the example needs no copy, reads other
  elements of a transposed input without any error.
tags: [torch.stride, torch.view]
references: [pytorch#186381]
rewrites: [views/diagonal_by_name]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.contiguous().as_strided((3,), (5,)) * 2


def inputs():
    return torch.randn(3, 4)


def accepts():
    yield torch.randn(4, 3).t()
    yield torch.randn(3, 9)[:, :4]
