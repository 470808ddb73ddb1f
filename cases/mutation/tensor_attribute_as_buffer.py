"""
title: Buffer for a result that others read later
description: >
  The place for the intermediate result is declared as a buffer of the right size, and forward
  copies into it. State that is declared is state that an exporter can keep.
tags: [torch.mutation, torch.buffer]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("hidden", torch.zeros(3, 4))

    def forward(self, x):
        self.hidden.copy_(x * 2)
        return self.hidden + 1


def inputs():
    return (torch.randn(3, 4),)
