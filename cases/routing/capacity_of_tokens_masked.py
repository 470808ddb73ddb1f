"""
title: Mixture of depths with all tokens worked on and the better half chosen
description: >
  The rank of each token in the sorted scores says whether it belongs to the better half, and
  torch.where chooses between the worked and the old token. Only the comparison contains half of
  the size.
tags: [torch.dynamic-shape, torch.sym-scalar]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, scores):
        rank = scores.argsort(dim=1, descending=True).argsort(dim=1)
        chosen = rank < x.shape[1] // 2
        return torch.where(chosen[..., None], torch.tanh(x) + 1, x)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {1: n}, "scores": {1: n}}


def inputs(n=7):
    return torch.randn(4, n, 3), torch.randn(4, n)
