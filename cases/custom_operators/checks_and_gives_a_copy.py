"""
title: Custom operator that checks its input and gives it back as a copy
description: >
  What follows computes with the result of the check, so the graph depends on it and nothing may
  remove it. The copy is new memory, as the contract of custom operators asks.
tags: [torch.operator, torch.fake-kernel, torch.check, python.exception]
"""

import torch


@torch.library.custom_op("exportdb_checks_and_gives_a_copy::finite", mutates_args=())
def finite(x: torch.Tensor) -> torch.Tensor:
    if not x.isfinite().all():
        raise ValueError("x must be finite")
    return x.clone()


@finite.register_fake
def _(x):
    return torch.empty_like(x)


class Model(torch.nn.Module):
    def forward(self, x):
        return finite(x).clamp(-1, 1)


def inputs():
    return torch.randn(3, 4)


def rejects():
    yield torch.full((3, 4), float("inf"))
