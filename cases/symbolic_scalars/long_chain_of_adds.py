"""
title: Long chain of additions of sizes
description: >
  Adding many sizes one after another builds a new expression at each step, each to be simplified
  again, so the cost of tracing grows faster than the number of terms. torch.sym_sum adds them in
  one step; AOTInductor and torch.export.save refuse it.
tags: [torch.sym-scalar, torch.dynamic-shape]
rewrites: [symbolic_scalars/sym_sum]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        total = 0
        for x in xs:
            total = total + x.shape[0]
        return torch.ones(total)


dynamic_shapes = {"xs": [{0: Dim.DYNAMIC} for _ in range(12)]}


def inputs():
    return ([torch.randn(3 + i) for i in range(12)],)


def accepts():
    yield ([torch.randn(4 + i) for i in range(12)],)
    yield ([torch.randn(20 - i) for i in range(12)],)
