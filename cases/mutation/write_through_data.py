"""
title: Writing to a buffer through .data
description: >
  Tensor.data is a second tensor on the same memory, and writing to it is hidden from autograd and
  from whatever else watches the first one. A tracer may lose the write. The rewrite writes to the
  buffer itself under no_grad.
tags: [torch.data-attribute, torch.mutation, torch.buffer]
rewrites: [mutation/write_under_no_grad]
pitfalls: [mutation/buffer_assigned]
references: [pytorch#170672]
errors: [E0303]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("total", torch.zeros(4))

    def forward(self, x):
        self.total.data.add_(x.sum(0))
        return x - self.total


def inputs():
    return (torch.randn(3, 4),)
