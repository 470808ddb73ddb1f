"""
title: Size that must be a multiple of a constant
description: >
  view(-1, 4) needs a length that four divides. Declaring the length as 4 * blocks, of a dim that
  stands for nothing else, says that; other lengths have to be refused as eager refuses them.
tags: [torch.derived-dim, torch.view]
references: [pytorch#136216, pytorch#144852, pytorch#181097]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x.view(-1, 4).sum(1)


dynamic_shapes = {"x": {0: 4 * Dim("blocks", min=2, max=16)}}


def inputs(blocks=3):
    return torch.randn(4 * blocks)


def rejects():
    yield torch.randn(13)
    yield torch.randn(14)
