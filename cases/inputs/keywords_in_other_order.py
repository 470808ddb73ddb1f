"""
title: Keyword arguments given in another order than in the example
description: >
  Python does not care about the order of keywords; a capture that flattens its inputs into a list
  might. Two keywords of equal shape would be swapped silently.
tags: [python.kwargs]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        return x - 2 * y


def inputs():
    return {"x": torch.randn(3, 4), "y": torch.randn(3, 4)}


def accepts():
    yield {"y": torch.randn(3, 4), "x": torch.randn(3, 4)}
