"""
title: Comparison of sizes in place of try and except
description: >
  Whether the matrix has to be transposed is asked of the sizes, which are known while tracing and
  guarded. No operator has to fail first.
tags: [python.control-flow, torch.guard]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, weight):
        if weight.shape[0] != x.shape[1]:
            weight = weight.t()
        return x @ weight


def inputs():
    return torch.randn(3, 4), torch.randn(5, 4)


def rejects():
    yield torch.randn(3, 4), torch.randn(4, 5)
