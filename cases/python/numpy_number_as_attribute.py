"""
title: NumPy number as an attribute of a module
description: >
  A setting that came out of NumPy is a np.float64, which Python takes for a float. TorchDynamo takes
  it for an array of no dimensions and makes a tensor of it, one without values in strict mode. The
  rewrite calls float once, in the constructor.
tags: [python.attribute, torch.dtype]
rewrites: [python/number_as_attribute]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.tensor([0.3], dtype=torch.float64, device="cpu").numpy()[0]

    def forward(self, x):
        return x * self.scale


def inputs():
    return torch.randn(3, 4)
