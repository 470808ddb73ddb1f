"""
title: Mixture of depths, a layer for the half of the tokens that scores best
description: >
  Half of the tokens go through the layer. They are picked with topk, gathered, worked on and
  scattered back to their places; the others pass by. k is an expression of a dynamic size, and
  the operators want to know that it is not larger. The rewrite works on all tokens; among equal
  scores it may pick others.
tags: [torch.scatter, torch.dynamic-shape, torch.sym-scalar]
rewrites: [routing/capacity_of_tokens_masked]
pitfalls: [dynamic_shapes/slice_to_half_size]
errors: [E0102]
allow:
  L052: among equal scores either may pick any
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x, scores):
        places = scores.topk(x.shape[1] // 2, dim=1).indices
        places = places[..., None].expand(-1, -1, x.shape[2])
        worked = torch.tanh(x.gather(1, places)) + 1
        return x.scatter(1, places, worked)


n = Dim("n", min=2, max=16)
dynamic_shapes = {"x": {1: n}, "scores": {1: n}}


def inputs(n=7):
    return torch.randn(4, n, 3), torch.randn(4, n)
