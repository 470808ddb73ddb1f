"""
title: isinstance(x, torch.Tensor) in place of a comparison of types
description: >
  The object that stands for a tensor while tracing is an instance of torch.Tensor too.
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
