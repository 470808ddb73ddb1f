"""
title: torch.sym_sum of many sizes
description: >
  torch.sym_sum takes all sizes at once and builds one flat sum, without the expressions in
  between.
tags: [torch.sym-scalar, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, xs):
        return torch.ones(torch.sym_sum([x.shape[0] for x in xs]))


dynamic_shapes = {"xs": [{0: Dim.DYNAMIC} for _ in range(12)]}


def inputs():
    return ([torch.randn(3 + i) for i in range(12)],)


def accepts():
    yield ([torch.randn(4 + i) for i in range(12)],)
    yield ([torch.randn(20 - i) for i in range(12)],)
