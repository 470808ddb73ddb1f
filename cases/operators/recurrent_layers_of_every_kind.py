"""
title: RNN with tanh and relu, several layers, bidirectional, and single cells
description: >
  The kinds share one call and differ in flags: nonlinearity, number of layers, bidirectional,
  batch_first. An initial state that is not zero and the final state of each layer and direction
  are part of the result.
tags: [torch.sweep, torch.recurrent]
train: true
"""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.RNN(3, 4, num_layers=2, bidirectional=True)
        self.relu = nn.RNN(3, 4, nonlinearity="relu", batch_first=True, bias=False)
        self.gru, self.lstm = nn.GRU(8, 4, num_layers=2), nn.LSTM(3, 4, proj_size=2, num_layers=2)
        self.cells = nn.ModuleList([nn.RNNCell(3, 4), nn.GRUCell(3, 4), nn.LSTMCell(3, 4)])

    def forward(self, x, start):
        out, ends = self.up(x, start)
        more = self.relu(x), self.gru(out, start[2:]), self.lstm(x)
        return out, ends, more, [cell(x[-1]) for cell in self.cells]


def inputs():
    return torch.randn(5, 2, 3), torch.randn(4, 2, 4)
