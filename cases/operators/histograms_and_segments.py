"""
title: Histograms of every kind, segments by their lengths and offsets
description: >
  The last bin holds its own upper end, and no other does. A density divides by the width of a
  bin as well as by the count.
tags: [torch.sweep]
requires: [cpu-kernels, values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, at):
        whole = [at.bincount(minlength=1), at.bincount(x[:, 0].abs()), torch.histc(x, 1)]
        whole += [torch.histc(x, 5, -1, 1)]
        binned = [torch.histogram(x, 2), torch.histogram(x, 4, range=(-1.0, 1.0), density=True)]
        binned += [torch.histogram(x, 3, weight=x.abs())]
        several = [torch.histogramdd(x, [2, 3]), torch.histogramdd(x, [1, 2], density=True)]
        several += [torch.histogramdd(x, [2, 2], range=[-1.0, 1.0, 0.0, 1.0])]
        edges = torch.tensor([-0.5, 0.0, 0.5, 1.0])
        placed = [torch.searchsorted(edges, x, side="left")]
        placed += [torch.searchsorted(edges.flip(0), x, sorter=torch.tensor([3, 2, 1, 0]))]
        ended = [torch.bucketize(x, edges, right=True)]
        ended += [torch.bucketize(x.to(torch.bfloat16), edges.to(torch.bfloat16))]
        ended += [torch.bucketize(at, torch.tensor([1, 2]))]
        segments = [torch.segment_reduce(x, "mean", offsets=torch.tensor([0, 1, 1, 6]))]
        segments += [torch.segment_reduce(x, "max", lengths=torch.tensor([2, 4]), initial=2)]
        return whole, binned, several, placed, ended, segments


def inputs():
    return torch.tensor(
        [[1.0, 0.0], [-1.0, 1.0], [0.5, 0.5], [0.0, 0.25], [-0.25, 0.5], [0.75, -0.5]]
    ), torch.tensor([0, 2, 1, 2, 3, 0])
