"""
title: var, layer_norm, softmax and logsumexp of numbers far from zero
description: >
  The mean of squares minus the square of the mean loses every digit when the mean is large, and
  softmax without subtracting the maximum overflows. Two passes, or Welford's single pass, do not.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.01, atol: 0.01}
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x):
        far, weight = x * 3 + 3000, torch.tensor([1.5, -0.5, 2.0, 1.0])
        spread = far.var(1), far.std(1), torch.var_mean(far, 1, correction=0), far.var((0, 1))
        normal = (
            F.layer_norm(far, (4,), weight, weight + 1, eps=0.01),
            F.group_norm(far, 2, weight, eps=0.01),
            F.instance_norm(far[None], eps=0.01),
        )
        tops = (
            far.softmax(1),
            far.log_softmax(1),
            far.logsumexp(1),
            F.softplus(far),
            (-far).sigmoid(),
        )
        logs = F.logsigmoid(-far), F.cross_entropy(far, x.argmin(1)), far.logcumsumexp(1)
        return spread, normal, tops, logs, F.binary_cross_entropy_with_logits(-far, x.sigmoid())


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=6):
    return (torch.randn(n, 4),)
