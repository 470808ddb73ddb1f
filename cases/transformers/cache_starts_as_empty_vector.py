"""
title: Cache that starts as torch.tensor([]) and grows by concatenation
description: >
  torch.cat passes over an empty vector, whatever the rank of the other tensors, so a cache may
  begin with one. The rule is an exception of the operator; the first concatenation changes the
  rank of the cache.
tags: [torch.attention, torch.zero-one, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        keys = torch.tensor([])
        outputs = []
        for token in x.split(1, dim=1):
            keys = torch.cat([keys, token], dim=1)
            outputs.append((token @ keys.mT).softmax(-1) @ keys)
        return torch.cat(outputs, dim=1)


dynamic_shapes = {"x": {0: Dim("batch", min=1, max=8)}}


def inputs(batch=5):
    return (torch.randn(batch, 4, 3),)
