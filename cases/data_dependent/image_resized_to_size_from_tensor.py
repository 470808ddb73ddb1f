"""
title: Image resized to a size computed from a tensor
description: >
  Height and width are multiplied by the number that was read, and interpolate is given the sizes
  that come of it. Sizes may be symbols.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, image, factor):
        height, width = image.shape[-2:]
        n = factor.item()
        return torch.nn.functional.interpolate(image, size=(n * height, n * width))


def inputs():
    return torch.randn(1, 2, 4, 5), torch.tensor(2)


def accepts():
    yield torch.randn(1, 2, 4, 5), torch.tensor(3)
    yield torch.randn(1, 2, 4, 5), torch.tensor(1)


def rejects():
    yield torch.randn(1, 2, 4, 5), torch.tensor(0)
