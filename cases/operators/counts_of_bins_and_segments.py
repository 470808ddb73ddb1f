"""
title: histogram with weights, bincount and segment_reduce
description: >
  A value on an inner bin edge belongs to the bin above it, a value on the last edge to the last
  bin. Weights replace the count, and density divides by the width. An empty segment has the
  initial value.
tags: [torch.operator, torch.data-dependent-shape]
requires: [cpu-kernels, values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, weight, lengths):
        edges = torch.tensor([0.0, 1.0, 2.5, 4.0])
        hist = torch.histogram(x, edges, weight=weight), torch.histogram(x, edges, density=True)
        even = torch.histc(x, 4, 0.0, 4.0), torch.histogram(x, 3, range=(0.0, 3.0)).hist
        counts = torch.bincount(x.long(), weight, minlength=6)
        kinds = "sum", "mean", "max", "min", "prod"
        parts = [torch.segment_reduce(x, kind, lengths=lengths, initial=1.0) for kind in kinds]
        return tuple(hist[0]), tuple(hist[1]), even, counts, parts


def inputs():
    x = torch.tensor([0.0, 1.0, 1.5, 2.5, 3.0, 4.0, 1.0])
    return x, torch.rand(7), torch.tensor([3, 0, 4])
