"""
title: Infinity, minus zero and words with umlauts among the outputs
description: >
  A model returns its bounds and names beside its result. They are constants of the capture, which whoever saves it
  must be able to write down: there is no infinity in JSON, and no letter ö in ASCII.
tags: [python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        bounds = {"low": -float("inf"), "high": float("inf"), "step": -0.0}
        names = ["Größe in μm", "", " two words ", "a name that is longer than thirty letters"]
        return x.clamp(min=0), bounds, names, (-3, 2**53 + 1, 0.1 + 0.2, 1e-310)


def inputs():
    return torch.randn(5, 3)
