"""
title: Later input with a dimension more or less than the example
description: >
  Eager broadcasts whatever it is given. A graph holds for the example's rank; a capture that
  neither refuses another rank nor follows it, but drops or adds a dimension of one element,
  gives a result of the wrong shape.
tags: [torch.specialization]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, scale):
        return x * scale, x.mean(-1, keepdim=True)


def inputs():
    return torch.randn(3, 4), torch.randn(4)


def rejects():
    x, scale = inputs()
    yield x[None], scale
    yield x[:, None], scale
    yield x[0], scale
    yield x, scale[None]
    yield x, scale[0]
