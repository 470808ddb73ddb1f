"""
title: Overlap of two complex signals by vdot, vecdot, dot and inner
description: >
  vdot and linalg.vecdot conjugate their first argument, dot, inner and the product of matrices
  none. With real numbers all are the same, and with complex ones exchanged arguments give the
  conjugate.
tags: [torch.operator, torch.complex]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        a, b = torch.view_as_complex(x), torch.view_as_complex(y)
        overlap = torch.vdot(a, b), torch.linalg.vecdot(a, b), torch.vdot(b.conj(), a)
        plain = torch.dot(a, b), torch.inner(a, b), torch.outer(a, b.conj()).sum(0)
        return overlap, plain, torch.vdot(a, a).real


dynamic_shapes = {"x": {0: Dim("n", min=1, max=64)}, "y": {0: Dim("n", min=1, max=64)}}


def inputs(n=5):
    return torch.randn(n, 2), torch.randn(n, 2)
