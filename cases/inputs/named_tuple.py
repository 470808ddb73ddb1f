"""
title: namedtuple as input and output
description: >
  A namedtuple is a tuple with names; exporters know how to take it apart and put it together, and
  the result has to be one again.
tags: [python.data-structure]
errors: [E0210]
"""

from typing import NamedTuple

import torch


class Point(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


class Model(torch.nn.Module):
    def forward(self, point):
        return Point(point.x + point.y, point.x - point.y)


def inputs():
    return (Point(torch.randn(3), torch.randn(3)),)
