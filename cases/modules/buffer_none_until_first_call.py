"""
title: Buffer that is None until the first call
description: >
  register_buffer with None reserves a name. forward fills it when it is first called and adds it
  later, so the first call and every other take different branches.
tags: [torch.buffer, python.none, python.control-flow, torch.mutation]
references: [pytorch#163189, pytorch#185108]
rewrites: [mutation/tensor_attribute_as_buffer]
pitfalls: [mutation/buffer_assigned]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("last", None)

    def forward(self, x):
        result = x if self.last is None else x + self.last
        self.last = x * 2
        return result + 1


def inputs():
    return torch.randn(3, 4)
