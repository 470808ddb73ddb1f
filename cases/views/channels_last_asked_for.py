"""
title: contiguous(memory_format=torch.channels_last) before a view
description: >
  The program makes the layout itself and then uses it: permute and view work without a copy only
  because the channels are last in memory. A capture that drops the change of layout fails in the
  view.
tags: [torch.stride, torch.view]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.conv = torch.nn.Conv2d(3, 6, 3)

    def forward(self, x):
        y = self.conv(x).contiguous(memory_format=torch.channels_last)
        return y.permute(0, 2, 3, 1).view(-1, 6) * 2


def inputs():
    return torch.randn(2, 3, 7, 5)


def accepts():
    yield torch.randn(2, 3, 7, 5).to(memory_format=torch.channels_last)
