"""
title: NaN from Python among the outputs
description: >
  A model says by NaN that it has no bound. NaN is not equal to itself, so that a capture that looks
  the number up among its outputs does not find it.
tags: [python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return {"y": x.clamp(min=0), "bound": float("nan")}


def inputs():
    return torch.randn(5, 3)
