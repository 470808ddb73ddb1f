"""
title: associative_scan over the steps of a batch of dynamic size
description: >
  The scan halves the steps until one is left, and asks each time whether anything is in its pieces.
  Export without TorchDynamo answers that for the whole tensor, so the size of the batch becomes a
  constant; strict export does not, and neither does scan.
tags: [torch.associative-scan, torch.dynamic-shape]
rewrites: [control_flow/loop_over_steps_of_dynamic_batch]
references: [pytorch#140043, pytorch#148657]
"""

import torch
from torch._higher_order_ops import associative_scan
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, decay, x):
        def combine(left, right):
            return left[0] * right[0], left[1] * right[0] + right[1]

        return associative_scan(combine, (decay, x), 1, combine_mode="generic")[1]


batch = Dim("batch", min=1, max=32)
dynamic_shapes = {"decay": {0: batch}, "x": {0: batch}}


def inputs(batch=3):
    return torch.rand(batch, 5), torch.randn(batch, 5)
