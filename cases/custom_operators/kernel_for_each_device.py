"""
title: Custom operator with a kernel for each device
description: >
  The operator is defined without a kernel, and register_kernel adds one for the CPU and one for
  CUDA. The call in the graph names no device, so the same graph finds the kernel of whatever device
  its inputs are on.
tags: [torch.operator, torch.fake-kernel, torch.device]
requires: [values]
allow:
  L059: on the meta device the fake kernel would answer
"""

import torch


def halved(x: torch.Tensor) -> torch.Tensor:
    return x / 2


product = torch.library.custom_op(
    "exportdb_kernel_for_each_device::halved", halved, mutates_args=(), device_types="cpu"
)


@product.register_kernel("cuda")
def _(x):
    return x * 0.5


@product.register_fake
def _(x):
    return torch.empty_like(x)


class Model(torch.nn.Module):
    def forward(self, x):
        return product(x) + 1


def inputs():
    return torch.randn(3, 4)
