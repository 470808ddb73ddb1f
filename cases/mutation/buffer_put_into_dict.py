"""
title: Buffer replaced in the module's dict of buffers
description: >
  self._buffers[...] = ... is what an assignment to the attribute does in the end, and what older
  code wrote. No assignment is seen by a tracer that watches attributes, so the next call begins
  with the old buffer.
tags: [torch.mutation, torch.buffer, python.attribute]
rewrites: [mutation/buffer_in_place]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("average", torch.zeros(4))

    def forward(self, x):
        self._buffers["average"] = 0.9 * self.average + 0.1 * x.mean(0)
        return x - self.average


def inputs():
    return (torch.randn(3, 4),)
