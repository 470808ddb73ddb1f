"""
title: Two sizes that add up to a constant
description: >
  Tokens and cached tokens together fill a context of 24, so the second size is 24 - n. A derived
  dim cannot say that, for its factor would be negative, and two Dims are contradicted by the
  fixed context. The suggested fix is no legal declaration; Dim.AUTO leaves the relation to tracing.
tags: [torch.dynamic-shape, torch.derived-dim, torch.guard]
rewrites: [dynamic_shapes/sizes_that_add_up_to_constant_auto]
references: [pytorch#172561]
errors: [E0126]
allow:
  L025: the second Dim is what remains of the context, no size of its own
  L057: the second Dim is what remains of the context, no size of its own
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, cache):
        return torch.cat([cache, x]) * torch.arange(24) / x.shape[0]


tokens, cached = Dim("tokens", min=2, max=20), Dim("cached", min=4, max=22)
dynamic_shapes = {"x": {0: tokens}, "cache": {0: cached}}


def inputs(tokens=7):
    return torch.randn(tokens), torch.randn(24 - tokens)


def rejects():
    yield torch.randn(7), torch.randn(16)
