"""
title: triton_op that computes with ATen operators where no kernel of Triton runs
description: >
  An operator made with torch.library.triton_op is transparent: a compiler looks into its body, where
  a GPU's kernel stands behind wrap_triton. On the CPU the body computes with ATen operators. A
  capture may keep the call whole or hold what the body does.
tags: [torch.operator, torch.decomposition, torch.dynamic-shape]
requires: [torch>=2.6]
"""

import torch
from torch.export import Dim


@torch.library.triton_op("exportdb_triton_operator_without_kernel::gated", mutates_args=())
def gated(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x * y.sigmoid()


class Model(torch.nn.Module):
    def forward(self, x):
        return gated(x, x.flip(0)) + 1


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
