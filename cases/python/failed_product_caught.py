"""
title: try and except around an operator that fails for some shapes
description: >
  forward tries a matrix product and transposes the second matrix if the shapes do not fit. A tracer
  may record the product before it fails, and then the graph fails there with nothing to catch the
  error; TorchDynamo does not let a program catch it at all. The rewrite compares the sizes first.
tags: [python.exception, python.control-flow]
rewrites: [python/product_chosen_by_size]
references: [pytorch#175608]
errors: [E0122]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, weight):
        try:
            return x @ weight
        except RuntimeError:
            return x @ weight.t()


def inputs():
    return torch.randn(3, 4), torch.randn(5, 4)


def rejects():
    yield torch.randn(3, 4), torch.randn(4, 5)
