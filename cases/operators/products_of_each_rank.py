"""
title: addmm, baddbmm, addmv, tensordot, kron and einsum with beta and alpha
description: >
  addmm, baddbmm and their kin take beta and alpha; with beta zero the first argument is ignored,
  even a NaN in it. tensordot, kron and einsum say which dimensions are multiplied.
tags: [torch.sweep, torch.decomposition, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, w, v):
        batch = x[:, :, None] * w
        vectors = (
            torch.mv(x, v),
            torch.dot(v, w[0]),
            torch.outer(v, w[1]),
            torch.addmv(v, w, v, alpha=2),
        )
        plain = (
            x @ w,
            torch.addmm(v, x, w, beta=0.5, alpha=3),
            torch.addr(w, v, v, beta=2, alpha=0.5),
        )
        batched = torch.bmm(batch, batch), torch.baddbmm(batch, batch, batch, beta=-1, alpha=0.5)
        summed = torch.addbmm(w, batch, batch, beta=2), torch.addmm(v * torch.nan, x, w, beta=0)
        named = torch.einsum("ni,ij,j->nj", x, w, v), torch.tensordot(batch, w, ([1], [0]))
        return vectors, plain, batched, summed, named, torch.kron(w, v), torch.inner(x, w)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}, "w": None, "v": None}


def inputs(n=5):
    return torch.randn(n, 3), torch.randn(3, 3), torch.randn(3)
