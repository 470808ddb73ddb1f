"""
title: A comparison written over a tensor keeps the tensor's dtype
description: >
  gt gives bools; gt_ writes 1 and 0 into the tensor that it is called on, which stays floating or whole. The same holds
  for logical operators in place.
tags: [torch.mutation, torch.operator, torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, scores, votes):
        high, low = scores.clone().gt_(0.5), scores.clone().le_(-0.5)
        between = high.eq_(low)
        votes.ne_(votes[:1].clone()).logical_xor_(scores > 0)
        return between, between.sum(), votes / 2, scores.clone().logical_or_(low), scores.lt_(0)


dynamic_shapes = {name: {0: Dim("n", min=1, max=16)} for name in ("scores", "votes")}


def inputs(n=5):
    return torch.linspace(-2, 2, n * 3).reshape(n, 3), torch.arange(n * 3).reshape(n, 3) % 4
