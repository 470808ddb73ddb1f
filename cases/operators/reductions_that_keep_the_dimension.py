"""
title: Reductions with keepdim=True and over several dimensions
description: >
  With keepdim the reduced dimension stays with size one, and several dimensions can be reduced at
  once. A backend that ignores keepdim returns another rank, and one that reduces the last
  dimension alone another number.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        sums = x.sum(1, keepdim=True), x.mean((0, 2), keepdim=True), x.nansum(1, keepdim=True)
        ends = x.amax((0, 2), keepdim=True), x.amin(1, keepdim=True), x.aminmax(dim=1, keepdim=True)
        first = x.argmax(1, keepdim=True), x.argmin(2, keepdim=True), x.max(2, keepdim=True)
        middle = x.median(1, keepdim=True), x.kthvalue(2, 1, keepdim=True), x.mode(2, keepdim=True)
        spread = x.var(1, keepdim=True), x.std((0, 2), correction=0, keepdim=True)
        other = x.logsumexp((0, 1), keepdim=True), x.prod(1, keepdim=True), x.norm(1, 2, True)
        truth = (x > 0).all(1, keepdim=True), (x > 1).any((0, 2)), x.quantile(0.4, 1, True)
        return sums, ends, first, middle, spread, other, truth


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4, 3),)
