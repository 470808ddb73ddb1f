"""
title: Variances with a correction of two, of a half and below zero
description: >
  What is divided by is the count less the correction, which need be neither 0 nor 1 nor whole.
tags: [torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        variances = x.var(correction=2), x.var(0, correction=0.5), x.var((-2, -1), correction=-1)
        deviations = [x.std(correction=2), x.std(-2, correction=1.5, keepdim=True)]
        deviations += [x.std((0, 2), correction=-1)]
        pairs = [torch.var_mean(x), torch.var_mean(x, -2, correction=2)]
        pairs += [torch.std_mean(x, 0, correction=0.5)]
        rest = [torch.var_mean(x, (0, -1), correction=1.5, keepdim=True)]
        return variances, deviations, pairs, rest


dynamic_shapes = {"x": {0: Dim("n", min=4, max=16)}}


def inputs(n=7):
    return (torch.randn(n, 3, 4),)
