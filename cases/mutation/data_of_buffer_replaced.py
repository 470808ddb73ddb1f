"""
title: The data of a buffer replaced by another tensor
description: >
  buffer.data = ... gives the buffer other memory and keeps its name. A tracer sees a stand-in take
  the place of the buffer's memory, and says so only when it is done, or when the capture runs. The
  rewrite writes into the buffer.
tags: [torch.data-attribute, torch.buffer, torch.mutation]
rewrites: [mutation/buffer_in_place]
errors: [E0303]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("average", torch.zeros(4))

    def forward(self, x):
        self.average.data = self.average.data * 0.9 + x.mean(0) * 0.1
        return x - self.average


def inputs():
    return torch.randn(3, 4)
