"""
title: Optional input given in the example and left out later
description: >
  The example has a mask, so the graph multiplies with it. A caller without one asks for the way
  that was not traced. The rewrite always takes a mask.
tags: [python.none, python.kwargs, torch.specialization]
rewrites: [inputs/mask_always_given]
narrower: {inputs/mask_always_given: a call without a mask}
pitfalls: [inputs/optional_left_out]
errors: [E0219, E0510, E0515]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask=None):
        if mask is not None:
            x = x * mask
        return x + 1


def inputs():
    return torch.randn(3, 4), torch.rand(3, 4)


def accepts():
    yield torch.randn(3, 4), None
    yield (torch.randn(3, 4),)
