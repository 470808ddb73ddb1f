"""
title: print in forward
description: >
  print shows a size of the input. It runs while tracing and leaves nothing in the graph: the
  capture computes the same, silently.
tags: [python.builtin]
errors: [E0601]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        print("rows:", x.shape[0])
        return x + 1


def inputs():
    return (torch.randn(3, 4),)
