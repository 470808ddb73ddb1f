"""
title: Custom operator with a dtype for autocast
description: >
  register_autocast says that the operator runs in bfloat16 inside an autocast block for the CPU: its
  arguments are converted first. Outside of the block it keeps float32. A capture has to hold the
  conversion.
tags: [torch.operator, torch.dtype, python.context-manager]
"""

import torch


@torch.library.custom_op("exportdb_under_autocast::product", mutates_args=())
def product(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    return x @ y


@product.register_fake
def _(x, y):
    return x.new_empty(x.shape[0], y.shape[1])


product.register_autocast("cpu", torch.bfloat16)


class Model(torch.nn.Module):
    def forward(self, x, y):
        with torch.autocast("cpu", torch.bfloat16):
            rough = product(x, y)
        return rough, product(x, y)


def inputs():
    return torch.randn(3, 4), torch.randn(4, 5)
