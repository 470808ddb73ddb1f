"""
title: contiguous() before view, with a later input of another layout
description: >
  contiguous() copies only where the layout asks for it, and the example does not. A capture that
  leaves such a call away as having no effect is left with a view that other layouts do not allow.
tags: [torch.stride, torch.view]
references: [pytorch#186381]
rewrites: [views/reshape_in_place_of_view]
errors: [E0120]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.contiguous().view(12) * 2


def inputs():
    return torch.randn(3, 4)


def accepts():
    yield torch.randn(4, 3).t()
    yield torch.randn(3, 8)[:, :4]
