"""
title: matrix_power, det, kron and cross of small matrices
description: >
  For a symmetric or diagonal matrix these operators hide a transposition or swapped operands, so
  the matrices here are neither.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch import linalg
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        full = x + 3 * torch.eye(3)
        powers = linalg.matrix_power(full, 3), linalg.matrix_power(full, -2), linalg.matrix_exp(x)
        signs = linalg.det(x), linalg.slogdet(x), torch.logdet(full @ full.mT)
        inverse = linalg.inv(full), linalg.tensorinv(full[0], 1), full.inverse()
        pairs = torch.kron(x[0], x[0, :2]), torch.outer(x[0, 0], x[0, 1]), torch.trace(x[0])
        cross = linalg.cross(x, full, dim=1), torch.chain_matmul(x[0], full[0], x[0])
        sums = torch.einsum("bij,bkj->kbi", x, full), torch.tensordot(x, full, ([0, 2], [0, 1]))
        batch = torch.addbmm(x[0], x, full, beta=0.5, alpha=2), torch.vdot(x[0, 0], x[0, 1])
        return powers, signs, inverse, pairs, cross, sums, batch


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=4):
    return (torch.randn(n, 3, 3),)
