"""
title: Values selected by a mask, sorted and averaged
description: >
  How many values the mask selects is known only from the data. Their mean and their order show
  whether there are as many as were selected, without zeros as padding.
tags: [torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        chosen = x.masked_select(x > 0.5)
        return chosen.sort().values, chosen.sum() / (chosen.numel() + 1), chosen * 2


def inputs():
    return torch.tensor([0.2, 1.5, -0.7, 0.9, 3.0])


def accepts():
    yield torch.tensor([0.7, 1.5, 0.6, 0.9, -3.0])
    yield torch.tensor([-0.7, -1.5, 0.6, 0.9, 2.0])
