"""
title: Reductions and indices in sizes that are no multiple of a kernel's tile (133, 1029)
description: >
  A reduction works through a row in blocks and adds up what they give; the last block is not full.
  What it reads beyond the end of the row shows only in such sizes.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.001, atol: 0.001}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, wide):
        along = wide.softmax(1), wide.log_softmax(0), wide.cumsum(1), wide.logsumexp(1)
        ends = wide.sum(1), wide.mean(1), wide.amax(1), wide.argmax(1), wide.sort(1), wide.topk(70)
        table = torch.linspace(-1, 1, 1029)[:, None]
        rows = F.embedding(torch.arange(1028, -1, -1), table)
        taken = wide.gather(1, wide.argsort(1))
        joined = torch.cat([x, x + 1, x * 2, x]), torch.stack([x[0], x[0] + 1, x[-1]])
        return along, ends, rows, taken, joined


dynamic_shapes = {"x": {0: Dim("n", min=2, max=300)}, "wide": None}


def inputs(n=133):
    return torch.randn(n, 67) / 8, torch.randn(3, 1029)
