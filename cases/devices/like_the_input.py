"""
title: New tensor that is like the input
description: >
  new_ones makes a tensor of the input's dtype on the input's device, by an operator that takes
  the input. A graph with that operator follows its input; one into which the capture has written
  the device does not.
tags: [torch.device, torch.specialization]
references: [pytorch#104998]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x + x.new_ones(3).cumsum(0) - 1


def inputs():
    return torch.randn(5, 3)


def accepts():
    yield torch.randn(5, 3, device="cpu")
