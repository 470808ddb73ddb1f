"""
title: for loop with a fixed number of rounds
description: >
  The number of rounds is a Python int of the module. The loop runs while tracing and leaves its
  rounds one after another in the graph.
tags: [python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rounds = 6

    def forward(self, x):
        out = []
        for i in range(self.rounds):
            out.append(x + i)
        return torch.stack(out)


def inputs():
    return (torch.randn(3, 4),)
