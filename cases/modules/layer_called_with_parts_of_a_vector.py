"""
title: A layer called with parts of a vector as its parameters
description: >
  torch.func.functional_call takes tensors for the parameters of one call and writes to none of
  them.
tags: [torch.parameter, torch.functional-transform]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 4)

    def forward(self, x, vector):
        parts = {"weight": vector[:12].view(4, 3), "bias": vector[12:]}
        return torch.func.functional_call(self.layer, parts, (x,))


def inputs():
    return torch.randn(5, 3), torch.randn(16)
