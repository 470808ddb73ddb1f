"""
title: LSTM with a projection and both ways, LSTM and GRU without bias
description: >
  The weights of a layer come as one flat list, so whether there are biases, both directions or a
  projection decides which tensor is which; the order of the gates is torch's own.
tags: [torch.module, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
allow:
  L056: the width of a layer has nothing to do with the size of the batch
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(4, 6, batch_first=True, bidirectional=True, proj_size=3)
        self.plain = torch.nn.LSTM(4, 5, bias=False)
        self.gru = torch.nn.GRU(4, 5, bias=False, batch_first=True)

    def forward(self, x):
        turned = x.transpose(0, 1)
        return self.lstm(x), self.plain(turned), self.gru(x)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 2, 4),)
