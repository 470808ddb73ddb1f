"""
title: Nested tensor of rows of different length, padded (torch.nested)
description: >
  Two tensors of different length become one nested tensor in the jagged layout, without padding.
  Its ragged size is a symbol of its own kind, which tracing has to keep apart from other sizes.
  The rewrite pads to the larger length and computes on that.
tags: [torch.nested, torch.dynamic-shape]
rewrites: [operators/rows_padded_by_sym_max]
references: [pytorch#149605]
errors: [E0101]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, y):
        rows = torch.nested.as_nested_tensor([x, y], layout=torch.jagged)
        return (rows * 2).to_padded_tensor(0.0)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}, "y": {0: Dim("m", min=2, max=16)}}


def inputs(n=5, m=7):
    return torch.randn(n, 4), torch.randn(m, 4)
