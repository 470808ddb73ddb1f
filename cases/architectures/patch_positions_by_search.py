"""
title: Rows and columns of packed patches (NaViT, Qwen-VL), found by searchsorted
description: >
  The running sum of the images' areas says to which image a patch belongs; quotient and remainder
  by its width are row and column. Every size is that of the sequence.
tags: [torch.attention, torch.dynamic-shape]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, patches, grids):
        height, width = grids.unbind(1)
        ends = (height * width).cumsum(0)
        index = torch.arange(patches.shape[0])
        image = torch.searchsorted(ends, index, right=True)
        within = index - (ends - height * width)[image]
        places = torch.stack([within // width[image], within % width[image]], dim=1)
        angles = places.float() @ torch.tensor([[1.0, 0.1, 0.0], [0.0, 0.3, 1.0]])
        return patches * angles.cos()


def inputs():
    return torch.randn(23, 3), torch.tensor([[3, 5], [2, 4]])


def accepts():
    yield torch.randn(23, 3), torch.tensor([[1, 9], [7, 2]])
    yield torch.randn(23, 3), torch.tensor([[5, 4], [3, 1]])
