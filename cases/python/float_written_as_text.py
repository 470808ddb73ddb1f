"""
title: The length of a float that is written as text
description: >
  A whole float is written with a zero behind the point. TorchScript writes the point alone, so the
  text is shorter.
tags: [python.builtin]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x * len("{}".format(float(x.dim())))


def inputs():
    return torch.randn(5, 3)
