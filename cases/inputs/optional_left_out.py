"""
title: Optional input left out in the example and given later
description: >
  The example has no mask, so tracing follows the way without one and the graph has no input for
  it. A caller who gives a mask later must not have it ignored. The rewrite always takes a mask.
tags: [python.none, python.kwargs, torch.specialization]
references: [pytorch#112095]
rewrites: [inputs/mask_always_given]
narrower: {inputs/mask_always_given: a call without a mask}
pitfalls: [inputs/optional_given]
errors: [E0216]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mask=None):
        if mask is not None:
            x = x * mask
        return x + 1


def inputs():
    return torch.randn(3, 4), None


def accepts():
    yield torch.randn(3, 4), torch.rand(3, 4)
