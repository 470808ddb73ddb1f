"""
title: Default dtype changed for a block (torch.set_default_dtype)
description: >
  Tensors that are made in the block are doubles, and so is the sum with them. The setting is a
  global of Python that factories ask while tracing.
tags: [torch.determinism]
rewrites: [determinism/dtype_given_to_factory]
references: [pytorch#184405]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        before = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        steps = torch.arange(0.0, 4.0) / 3
        torch.set_default_dtype(before)
        return x + steps, torch.ones(2)


def inputs():
    return torch.randn(3, 4)
