"""
title: Python float as an input
description: >
  A float among the inputs is a constant of the capture. A call with another float has to be
  refused, or agree with eager. A tensor of no dimensions in its place is data.
tags: [torch.scalar-input, torch.specialization]
references: [pytorch#139486]
rewrites: [symbolic_scalars/float_input_as_tensor]
pitfalls: [symbolic_scalars/float_input_dynamic]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale: float):
        return x * scale


def inputs():
    return torch.randn(4), 2.5


def rejects():
    yield torch.randn(4), 3.5
    yield torch.randn(4), 0.0
