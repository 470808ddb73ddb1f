"""
title: Example in which two inputs are the same tensor
description: >
  The example gives one tensor twice, as test scripts often do; later calls give two. Sharing in
  the example must not become an assumption of the capture. Give the example separate tensors.
tags: [torch.aliasing]
rewrites: [mutation/separate_examples]
references: [pytorch#139805, pytorch#144683]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x * 2 + y


def inputs():
    x = torch.randn(3, 4)
    return x, x


def accepts():
    yield torch.randn(3, 4), torch.randn(3, 4)
