"""
title: Timestep given as a number or as a tensor
description: >
  forward takes an int, a float or a tensor and makes a tensor of them. Which it is, and the number
  itself, are decided while tracing: a capture from an int has its value as a constant and has to
  refuse others. The rewrite takes a tensor only.
tags: [torch.scalar-input, python.builtin, torch.specialization]
rewrites: [architectures/timestep_as_tensor]
pitfalls: [dynamic_shapes/int_input_named_dim, symbolic_scalars/float_input_dynamic]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, step):
        if not torch.is_tensor(step):
            step = torch.tensor(step)
        return x * torch.cos(step.float() / 7)


def inputs():
    return torch.randn(3, 4), 25


def rejects():
    yield torch.randn(3, 4), 26
    yield torch.randn(3, 4), 25.5
    yield torch.randn(3, 4), torch.tensor(27)
