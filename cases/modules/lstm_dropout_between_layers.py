"""
title: Dropout between the layers of an LSTM that trains
description: >
  The module is in training mode, so that between the first and the second layer elements are left
  out at random; those of the last layer are all kept.
tags: [torch.recurrent, torch.random]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(3, 4, num_layers=2, dropout=0.5, batch_first=True)
        self.gru = torch.nn.GRU(4, 2, num_layers=2, dropout=0.25, bidirectional=True)

    def forward(self, x):
        read, _ = self.lstm(x)
        return self.gru(read)


def inputs():
    return (torch.randn(2, 5, 3),)
