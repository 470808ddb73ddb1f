"""
title: Image resized by a factor read from a tensor
description: >
  interpolate hands the factor to a kernel that wants plain floats. A number that data decides is
  a symbol while tracing, and no float. The rewrite multiplies the size, which may be a symbol.
tags: [torch.item, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/image_resized_to_size_from_tensor]
errors: [E0002]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, image, factor):
        return torch.nn.functional.interpolate(image, scale_factor=factor.item())


def inputs():
    return torch.randn(1, 2, 4, 5), torch.tensor(2)


def accepts():
    yield torch.randn(1, 2, 4, 5), torch.tensor(3)
    yield torch.randn(1, 2, 4, 5), torch.tensor(1)


def rejects():
    yield torch.randn(1, 2, 4, 5), torch.tensor(0)
