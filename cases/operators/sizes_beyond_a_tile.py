"""
title: Products and layers in sizes that are no multiple of a kernel's tile (67, 131, 1029)
description: >
  Kernels work in tiles of 32, 64 or 256 and in vectors of 4 or 8. What is wrong beyond the first
  tile, or in the last, incomplete one, shows only in such sizes.
tags: [torch.sweep, torch.dynamic-shape]
requires: [cpu-kernels]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, wide):
        rows, weight = torch.linspace(-1, 1, 1029), torch.linspace(-1, 1, 131 * 67).view(131, 67)
        products = F.linear(x, weight), x @ weight.t(), torch.bmm(x[None], weight.t()[None])
        normal = F.layer_norm(wide, (1029,), rows, rows + 1), F.rms_norm(wide, (1029,), rows)
        heads = wide[None, :, :1016].reshape(1, 3, 127, 8)
        seen = F.scaled_dot_product_attention(heads, heads.flip(2), heads)
        lines = F.conv1d(wide[:, None], rows[None, None, :5]), F.max_pool1d(wide, 3, 2)
        return products, normal, seen, lines, (wide * rows).relu()


dynamic_shapes = {"x": {0: Dim("n", min=2, max=300)}, "wide": None}


def inputs(n=133):
    return torch.randn(n, 67) / 8, torch.randn(3, 1029)
