"""
title: Padded batch and lengths as inputs in place of a PackedSequence
description: >
  The inputs are two plain tensors. The layer runs over the padding as well, and what lies beyond
  each length is set to zero afterwards.
tags: [torch.recurrent]
errors: [E0613]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.gru = torch.nn.GRU(3, 4)

    def forward(self, x, lengths):
        y, _ = self.gru(x)
        inside = torch.arange(6, device=x.device)[:, None] < lengths
        return torch.where(inside[:, :, None], y, 0.0)


def inputs():
    return torch.randn(6, 2, 3), torch.tensor([6, 3])


def accepts():
    yield torch.randn(6, 2, 3), torch.tensor([5, 4])
