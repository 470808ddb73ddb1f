"""
title: Selective state-space layer (Mamba), its states in a loop over the sequence
description: >
  Each step decays the state by a factor of its own and adds what it reads. Written as a Python
  loop, the number of steps is that of the example. The rewrite computes all steps at once, from
  running sums of the logarithms of the factors.
tags: [torch.dynamic-shape, python.control-flow, torch.recurrent]
rewrites: [architectures/selective_scan_at_once]
timeout: 180
tolerance: {rtol: 1.0e-3, atol: 1.0e-4}
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, decay, write, read):
        state, outputs = x.new_zeros(x.shape[0], x.shape[2], write.shape[2]), []
        for t in range(x.shape[1]):
            state = state * decay[:, t, :, None].exp() + x[:, t, :, None] * write[:, t, None]
            outputs.append((state * read[:, t, None]).sum(-1))
        return torch.stack(outputs, dim=1)


length = {1: Dim("n", min=2, max=16)}
dynamic_shapes = {"x": length, "decay": length, "write": length, "read": length}


def inputs(n=5):
    x, decay = torch.randn(2, n, 3), -torch.rand(2, n, 3)
    return x, decay, torch.randn(2, n, 4), torch.randn(2, n, 4)
