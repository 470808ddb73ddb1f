"""
title: forward with *args and **kwargs
description: >
  The number of inputs is open: forward takes any tensors by position and by name. A capture holds
  for the number and the names of the example, and has to refuse others rather than leave them out.
tags: [python.kwargs, python.data-structure]
references: [pytorch#148713, pytorch#150022, pytorch#164313]
errors: [E0505]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, *others, **named):
        for other in others:
            x = x + other
        for name in sorted(named):
            x = x * named[name]
        return x


def inputs():
    return (
        (torch.randn(3, 4), torch.randn(3, 4), torch.randn(3, 4)),
        {"mask": torch.rand(3, 4), "gain": torch.rand(4)},
    )


def rejects():
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    named = {"mask": torch.rand(3, 4), "gain": torch.rand(4)}
    yield (x, y), named
    yield (x, y, y, y), named
    yield (x, y, y), {"mask": torch.rand(3, 4)}
    yield (x, y, y), {**named, "scale": torch.rand(4)}
