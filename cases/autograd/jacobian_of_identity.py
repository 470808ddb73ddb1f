"""
title: Jacobian of a function that gives its input back
description: >
  torch.func.jacrev of the identity has rows that no operator computed: they are the unit vectors
  that the transform itself starts from. A capture that sees only operators keeps what they were
  while it traced, tensors without numbers. The rewrite says that the Jacobian is the unit matrix.
tags: [torch.autograd, torch.functional-transform]
requires: [backward]
rewrites: [autograd/jacobian_as_unit_matrix]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.func.jacrev(lambda a: a)(x)


def inputs():
    return torch.randn(3)
