"""
title: Step with momentum, kept in a buffer
description: >
  The momentum is a buffer, which belongs to the program, and the weight is changed under no_grad.
tags: [torch.parameter, torch.mutation, torch.buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([0.5, -1.5, 2.0]))
        self.register_buffer("momentum", torch.zeros(3))

    def forward(self, gradient):
        self.momentum.mul_(0.9).add_(gradient)
        with torch.no_grad():
            self.weight -= 0.1 * self.momentum
        return self.weight.detach().clone()


def inputs():
    return (torch.randn(3),)
