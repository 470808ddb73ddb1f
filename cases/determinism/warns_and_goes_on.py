"""
title: Operator without a deterministic form, with warn_only
description: >
  put_ without accumulate has no deterministic form. With warn_only it warns and runs; without, it
  raises. The mode is a flag of the call here, so a capture made with a warning has to refuse, or
  raise for, the strict call.
tags: [torch.determinism, torch.mutation]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, places, strict):
        before = torch.are_deterministic_algorithms_enabled()
        torch.use_deterministic_algorithms(True, warn_only=not strict)
        try:
            return x.clone().put_(places, torch.tensor([10.0, 20.0]))
        finally:
            torch.use_deterministic_algorithms(before)


def inputs():
    return torch.randn(4, 3), torch.tensor([0, 7]), False


def accepts():
    yield torch.randn(4, 3), torch.tensor([11, 2]), False


def rejects():
    yield torch.randn(4, 3), torch.tensor([0, 7]), True
