"""
title: State detached before it is written into a buffer
description: >
  What is written is detached, so the buffer has no history and is written in the graph like the
  counter beside it. Gradients reach the layer through an output of its own.
tags: [torch.buffer, torch.mutation, torch.autograd]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)
        self.register_buffer("states", torch.zeros(2, 3))
        self.register_buffer("count", torch.tensor(3))

    def forward(self, x):
        state = self.layer(x)
        self.states[0] = state.detach()
        self.count += 1
        known = torch.stack([state, self.states[1]])
        return known * 2, self.count * 2


def inputs():
    return torch.randn(3)
