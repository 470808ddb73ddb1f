"""
title: if on whether deterministic algorithms are required
description: >
  The global setting is asked while tracing and the answer becomes a constant. forward turns the
  setting on for a block, as libraries do, and asks inside and outside of it.
tags: [torch.determinism, torch.specialization, python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def answer(self, x):
        return x + 1 if torch.are_deterministic_algorithms_enabled() else x - 1

    def forward(self, x):
        before = torch.are_deterministic_algorithms_enabled()
        torch.use_deterministic_algorithms(True)
        inside = self.answer(x)
        torch.use_deterministic_algorithms(before)
        return inside, self.answer(x)


def inputs():
    return torch.randn(3, 4)
