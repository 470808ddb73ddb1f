"""
title: Matrix products of whole numbers and of complex numbers
description: >
  No library for floats is called here: sums of integer products wrap and never round, and of
  complex factors none is conjugated unless it is said. beta of zero ignores what would be
  added.
tags: [torch.sweep, torch.dynamic-shape]
requires: [integer-product]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, n, z):
        whole = n @ n.mT, n.mT.matmul(n), torch.addmm(n, n, n[:3], beta=2, alpha=-3), n[0].dot(n[1])
        rows = [torch.addmv(n[:, 0], n, n[0], beta=-1), torch.outer(n[0], n[1])]
        rows += [torch.addr(n[:3], n[0], n[1])]
        batch = torch.bmm(n[None], n.mT[None]), torch.baddbmm(n[None], n[None], n[None, :3], beta=0)
        parts = [z @ z.mT, z @ z.mH]
        parts += [torch.linalg.vecdot(z, -z)]
        added = [torch.addmm(z, z, z[:3], beta=1j, alpha=2 - 1j)]
        added += [torch.einsum("ij,kj->ik", z, z.conj())]
        return whole, rows, batch, parts, added, torch.linalg.cross(n, n.flip(0))


dynamic_shapes = {"n": {0: Dim("n", min=3, max=16)}, "z": {0: Dim("n", min=3, max=16)}}


def inputs(n=7):
    whole = torch.arange(3 * n).reshape(n, 3) % 7 - 3
    return whole, torch.randn(n, 3, dtype=torch.complex64)
