"""
title: Elman RNN with relu
description: >
  The plainest recurrent layer, with relu in place of tanh, over a sequence that comes first. How
  many steps there are is fixed here.
tags: [torch.recurrent]
errors: [E0613]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.rnn = torch.nn.RNN(3, 4, nonlinearity="relu")

    def forward(self, x):
        y, last = self.rnn(x)
        return y.sum(0) + last[0]


def inputs():
    return torch.randn(6, 2, 3)
