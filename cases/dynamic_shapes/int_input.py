"""
title: Python int as an input
description: >
  An int among the inputs is a constant of the capture unless it is declared otherwise. A call
  with another int has to be refused, or agree with eager.
tags: [torch.scalar-input, torch.specialization]
references: [pytorch#106031]
rewrites: [dynamic_shapes/int_input_dynamic, dynamic_shapes/int_input_as_tensor]
pitfalls: [dynamic_shapes/int_input_named_dim]
errors: [E0501]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, factor: int):
        return x * factor


def inputs():
    return torch.randn(4), 3


def rejects():
    yield torch.randn(4), 5
    yield torch.randn(4), 0
    yield torch.randn(4), -2
