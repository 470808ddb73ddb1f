"""
title: State written into a buffer without detach()
description: >
  The buffer takes on the history of what is written to it. AOTAutograd hands its new value back
  beside the outputs, and the counter comes out in place of its double. The rewrite detaches the
  state.
tags: [torch.buffer, torch.mutation, torch.autograd]
rewrites: [mutation/states_kept_detached]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)
        self.register_buffer("states", torch.zeros(2, 3))
        self.register_buffer("count", torch.tensor(3))

    def forward(self, x):
        self.states[0] = self.layer(x)
        self.count += 1
        return self.states * 2, self.count * 2


def inputs():
    return torch.randn(3)
