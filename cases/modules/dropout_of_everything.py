"""
title: Dropout with a probability of one
description: >
  All that goes in is dropped and zero comes out. Dropout scales up what is left by one over the
  rest of the probability, which must not be tried here.
tags: [torch.module, torch.random]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.all = torch.nn.Dropout(1.0)

    def forward(self, x):
        none = torch.nn.functional.dropout(x, 0.0, training=True)
        return self.all(x), none, torch.nn.functional.alpha_dropout(x, 1.0, training=False)


def inputs():
    return (torch.randn(3, 4),)
