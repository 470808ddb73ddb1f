"""
title: Selective state-space layer (Mamba), all steps at once by running sums
description: >
  What step s adds is decayed by step t with the exponential of a difference of running sums. A
  lower triangle of such factors replaces the loop; its size is the length, a symbol.
tags: [torch.dynamic-shape, torch.recurrent]
timeout: 180
tolerance: {rtol: 1.0e-3, atol: 1.0e-4}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, decay, write, read):
        total = decay.cumsum(1)
        between = total[:, :, None] - total[:, None]
        steps = torch.arange(x.shape[1])
        later = (steps[:, None] >= steps)[None, :, :, None]
        factor = between.masked_fill(~later, -torch.inf).exp()
        return torch.einsum("btn,bsn,btsd,bsd->btd", read, write, factor, x)


length = {1: Dim("n", min=2, max=16)}
dynamic_shapes = {"x": length, "decay": length, "write": length, "read": length}


def inputs(n=5):
    x, decay = torch.randn(2, n, 3), -torch.rand(2, n, 3)
    return x, decay, torch.randn(2, n, 4), torch.randn(2, n, 4)
