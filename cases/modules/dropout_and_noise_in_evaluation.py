"""
title: Dropout of every kind, and a recurrent layer that has it, in evaluation
description: >
  After eval() nothing is dropped: not elements, not channels, not between the layers of an LSTM or a GRU, and
  a slope that training draws at random is the mean of its bounds. Every call gives the same.
tags: [torch.module, torch.recurrent, torch.random, torch.dynamic-shape]
"""

import torch
from torch import nn
from torch.export import Dim


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 4, num_layers=2, dropout=0.5, batch_first=True)
        self.gru = nn.GRU(4, 2, num_layers=2, dropout=0.5, bidirectional=True, batch_first=True)
        self.channels = nn.Sequential(nn.Dropout1d(0.5), nn.AlphaDropout(0.4))
        self.noise = nn.Sequential(nn.FeatureAlphaDropout(0.3), nn.RReLU(0.1, 0.5))
        self.eval()

    def forward(self, steps):
        read, _ = self.lstm(steps)
        again, last = self.gru(read)
        return again, last, self.channels(steps), self.noise(steps)


dynamic_shapes = {"steps": {0: Dim("n", min=1, max=16)}}


def inputs(n=7):
    return torch.randn(n, 5, 3)
