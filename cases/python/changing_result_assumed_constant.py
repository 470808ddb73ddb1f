"""
title: Helper that is assumed constant and is not
description: >
  The function that is promised to be constant counts how often it was called. The promise is
  broken: what is captured keeps the count of the moment and says nothing of it.
tags: [python.builtin, torch.specialization]
rewrites: [python/counter_buffer]
breaks_contract: a function that is promised to be constant gives another number at each call
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        @torch.compiler.assume_constant_result
        def count():
            self.calls += 1
            return self.calls

        return x * count()


def inputs():
    return torch.randn(3, 4)
