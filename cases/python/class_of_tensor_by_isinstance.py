"""
title: A tensor asked with isinstance whether it is one
description: >
  What a tracer puts in the place of a tensor is a tensor for isinstance.
tags: [torch.subclass, python.builtin]
allow:
  L063: eager takes one side, and so should a capture
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if isinstance(x, torch.Tensor):
            return x.softmax(-1)
        return x


def inputs():
    return torch.randn(3, 4)
