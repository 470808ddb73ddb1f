"""
title: Timestep given as a tensor of no dimensions
description: >
  The caller makes the tensor, so the step is an input of the graph like any other and may be
  different in every call.
tags: [torch.scalar-input]
dims: {step: {min: 0, max: 1000}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, step):
        return x * torch.cos(step.float() / 7)


def inputs(step=25):
    return torch.randn(3, 4), torch.tensor(step)
