"""
title: Bidirectional LSTM of two layers with a projection
description: >
  Two layers, each running forwards and backwards, with outputs projected to fewer features. The
  states have a first dimension of four: layers times directions.
tags: [torch.recurrent]
errors: [E0613]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.lstm = torch.nn.LSTM(3, 7, num_layers=2, bidirectional=True, proj_size=2)

    def forward(self, x):
        y, (h, c) = self.lstm(x)
        return y[-1], h.sum(0), c.mean(-1)


def inputs():
    return torch.randn(6, 5, 3)
