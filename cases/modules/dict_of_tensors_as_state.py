"""
title: Tensors in a dict on self that each call adds to
description: >
  The state is a plain dict of tensors. forward puts new tensors into it, so every call sees what
  the one before left; neither dict nor tensors are registered anywhere.
tags: [python.attribute, python.data-structure, torch.mutation]
references: [pytorch#106217]
rewrites: [modules/buffers_as_state]
pitfalls: [mutation/buffer_assigned]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.state = {"total": torch.zeros(4), "peak": torch.full((4,), -100.0)}

    def forward(self, x):
        self.state["total"] = self.state["total"] + x.sum(0)
        self.state["peak"] = torch.maximum(self.state["peak"], x.amax(0) + self.state["total"])
        return self.state["peak"] - x


def inputs():
    return torch.randn(3, 4)
