"""
title: functional.dropout that forgets about evaluation
description: >
  torch.nn.functional.dropout has training=True by default, so it drops elements after eval() as
  well. A capture must go on drawing random numbers, of the same kind and in the same order.
advice: >
  Pass training=self.training, as in modules/dropout_follows_mode: then the mode that the module has
  at the export decides.
tags: [torch.random, torch.module]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.eval()

    def forward(self, x):
        return torch.nn.functional.dropout(x, 0.4) + 1


def inputs():
    return torch.randn(6, 7)
