"""
title: Projection onto the null space by linalg.qr with mode="complete"
description: >
  With mode="complete" Q is square, and its last columns span everything that the columns of the
  matrix do not. Their product with their own transpose does not depend on their signs.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, constraints):
        q = torch.linalg.qr(constraints, mode="complete").Q
        free = q[:, constraints.shape[1] :]
        return x @ (free @ free.T)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=32)}, "constraints": None}


def inputs(n=4):
    return torch.randn(n, 5), torch.randn(5, 2)
