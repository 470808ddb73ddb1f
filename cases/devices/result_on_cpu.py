"""
title: Result moved to the CPU at the end of forward
description: >
  The last step moves the result to the CPU, wherever the program runs. On the CPU the step does
  nothing and may leave no trace in the graph; elsewhere it is the operator that everything after
  depends on.
tags: [torch.device]
requires: [values]
references: [pytorch#134622]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x):
        return self.linear(x).cpu() + torch.ones(3, device="cpu")


def inputs():
    return torch.randn(5, 4)
