"""
title: Penalty for tokens that have already been said
description: >
  The logits of the ids so far are gathered, made smaller, and scattered back. The same id may occur
  several times; all of its writes bring the same value, so their order does not matter.
tags: [torch.scatter, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, ids, logits):
        said = logits.gather(1, ids)
        said = torch.where(said < 0, said * 1.5, said / 1.5)
        return logits.scatter(1, ids, said)


batch = Dim("batch", min=1, max=6)
dynamic_shapes = {"ids": {0: batch, 1: Dim("n", min=0, max=16)}, "logits": {0: batch}}


def inputs(batch=3, n=5):
    return torch.randint(8, (batch, n)), torch.randn(batch, 9)
