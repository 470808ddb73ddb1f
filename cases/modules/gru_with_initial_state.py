"""
title: GRU with an initial state and a dynamic batch
description: >
  The caller passes the state of the step before and gets the new one back, as streaming models
  do. The batch is a dimension of input and state alike.
tags: [torch.recurrent, torch.dynamic-shape, torch.shared-dim]
errors: [E0613]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.gru = torch.nn.GRU(3, 4, batch_first=True)

    def forward(self, x, state):
        y, state = self.gru(x, state)
        return y[:, -1], state


n = Dim("n", min=2, max=9)
dynamic_shapes = {"x": {0: n}, "state": {1: n}}


def inputs(n=5):
    return torch.randn(n, 6, 3), torch.randn(1, n, 4)
