"""
title: GRUCell and RNNCell without bias, GRU both ways, RNN with relu
description: >
  A layer may read its sequence backwards too, take the batch first, or have no bias; a cell is one
  step of it.
tags: [torch.sweep, torch.recurrent]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.both = torch.nn.GRU(3, 2, bidirectional=True)
        self.plain = torch.nn.RNN(3, 2, batch_first=True, bias=False)
        self.ramp = torch.nn.RNN(3, 2, nonlinearity="relu", bidirectional=True)
        self.gru_cell = torch.nn.GRUCell(3, 2, bias=False)
        self.cell = torch.nn.RNNCell(3, 2, bias=False)

    def forward(self, x):
        layers = self.both(x), self.plain(x), self.ramp(x)
        return layers, self.gru_cell(x[1]), self.cell(x[2])


def inputs():
    return (torch.randn(4, 5, 3),)
