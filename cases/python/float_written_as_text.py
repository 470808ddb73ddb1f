"""
title: len(str(x)) of a float
description: >
  Python writes a float without a fraction as 2.0. TorchScript writes it as 2., so the text is
  shorter.
tags: [python.builtin]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * len("{}".format(float(x.dim())))


def inputs():
    return torch.randn(5, 3)
