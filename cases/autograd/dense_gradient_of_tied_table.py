"""
title: Embedding with a dense gradient whose table is the output layer too
description: >
  Lookup and product both give the table a gradient with a row for each of its rows; they add up.
tags: [torch.autograd, torch.parameter]
train: true
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.table = torch.nn.Embedding(9, 3)

    def forward(self, ids):
        return self.table(ids).tanh() @ self.table.weight.mT


dynamic_shapes = {"ids": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.arange(n) ** 2 % 7,)
