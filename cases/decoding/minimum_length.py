"""
title: End token forbidden until the text is long enough
description: >
  While the ids are shorter than eight, the logit of the end token is minus infinity. The if is on a
  size, and a capture from a short text forbids the end for ever. The rewrite compares the length in
  a tensor.
tags: [python.control-flow, torch.dynamic-shape, torch.guard]
rewrites: [decoding/minimum_length_where]
pitfalls: [dynamic_shapes/branch_on_size_auto]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, ids, logits):
        if ids.shape[1] < 8:
            end = torch.arange(logits.shape[1]) == 0
            logits = logits.masked_fill(end, -torch.inf)
        return logits.softmax(-1)


dynamic_shapes = {"ids": {1: Dim("n", min=1, max=16)}, "logits": None}


def inputs(n=5):
    return torch.randint(4, (2, n)), torch.randn(2, 4)
