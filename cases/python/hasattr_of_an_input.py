"""
title: hasattr on an input that is a tensor or a number
description: >
  forward asks the scale whether it has a method of tensors, and lets a plain number be. While tracing
  the answer is that of the example: a capture may refuse a number and must not take it for a tensor.
tags: [python.builtin, torch.scalar-input, torch.specialization]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale):
        if hasattr(scale, "unsqueeze"):
            scale = scale.unsqueeze(-1) + 1
        return x * scale


def inputs():
    return torch.randn(4, 3), torch.randn(4)


def rejects():
    yield torch.randn(4, 3), 2.0
    yield torch.randn(4, 3), 3
