"""
title: Custom operator that checks its input and gives nothing
description: >
  The operator raises for a value that is not finite, and has neither a result nor a declared write.
  Nothing in the graph depends on it, so whatever removes unused operators removes the check. The
  rewrite gives the checked tensor back and computes with that.
tags: [torch.operator, torch.fake-kernel, torch.check, python.exception]
references: [pytorch#189309]
rewrites: [custom_operators/checks_and_gives_a_copy]
"""

import torch


@torch.library.custom_op("exportdb_checks_and_gives_nothing::require_finite", mutates_args=())
def require_finite(x: torch.Tensor) -> None:
    if not x.isfinite().all():
        raise ValueError("x must be finite")


@require_finite.register_fake
def _(x):
    return None


class Model(torch.nn.Module):
    def forward(self, x):
        require_finite(x)
        return x.clamp(-1, 1)


def inputs():
    return torch.randn(3, 4)


def rejects():
    yield torch.full((3, 4), float("inf"))
