"""
title: Writing to a buffer under no_grad instead of through .data
description: >
  The buffer is changed in place, in the open; no_grad keeps the write out of the gradient, which
  is what .data was used for.
tags: [torch.mutation, torch.buffer, torch.autograd]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x):
        with torch.no_grad():
            self.total.add_(x.sum(0))
        return x - self.total


def inputs():
    return (torch.randn(3, 4),)
