"""
title: Crop to height and width that a tensor holds
description: >
  The size of the original image comes as data, a tensor of two ints. Sizes read from data are
  symbols without a hint, and the slices cut at the size of the image as slices do: a height that
  is larger than the image keeps all of it.
tags: [torch.item, torch.unbacked-symbol, torch.view]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, image, size):
        height, width = size.tolist()
        return image[:height, :width] * 2


def inputs():
    return torch.randn(7, 9), torch.tensor([3, 4])


def accepts():
    for size in ([7, 9], [1, 5], [0, 2], [10, 3], [-2, 4]):
        yield torch.randn(7, 9), torch.tensor(size)
