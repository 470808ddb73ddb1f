"""
title: topk with k half of a dynamic size
description: >
  The better half is kept. That n // 2 is at most n is plain to a reader, but it is a question
  about a rounded division to the tracer, which answers with a suggestion: let n be odd. Declaring
  the size as twice a Dim makes k that Dim.
tags: [torch.sym-scalar, torch.dynamic-shape, torch.guard]
rewrites: [top_k/half_of_even_size]
narrower: {top_k/half_of_even_size: an odd number of values}
pitfalls: [dynamic_shapes/slice_to_half_size]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        values, _ = torch.topk(x, x.shape[0] // 2)
        return values


dynamic_shapes = {"x": {0: Dim("n", min=4, max=32)}}


def inputs(n=9):
    return torch.randn(n)
