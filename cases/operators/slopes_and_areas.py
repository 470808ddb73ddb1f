"""
title: gradient, trapezoid, diff, histogramdd and nonzero_static with rare arguments
description: >
  The spacing of grid points, the edges of bins, the value that pads missing positions and the
  dimensions of a reduction are arguments that few programs pass. A backend that ignores one gives
  other numbers.
tags: [torch.sweep]
requires: [cpu-kernels, values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, times):
        slopes = torch.gradient(x, spacing=(times,), dim=1, edge_order=2)[0]
        even = torch.gradient(x, spacing=0.5)
        areas = torch.trapezoid(x, times, dim=1), torch.trapz(x, dx=0.5, dim=0)
        running = torch.cumulative_trapezoid(x, times), torch.diff(x, 2, 0, prepend=x[:1])
        asked = torch.all(x > -2, dim=(0, 1)), torch.any(x > 1, dim=(1,), keepdim=True)
        runs, counts = torch.unique_consecutive(x.round(), dim=1, return_counts=True)
        cells, _ = torch.histogramdd(
            x.t()[:, :2].contiguous(), [3, 2], range=[-2.0, 2.0, -1.0, 1.0]
        )
        places = torch.nonzero_static(x > 0, size=20, fill_value=-1)
        middle = torch.nanquantile(x, 0.25, 1, keepdim=True, interpolation="higher")
        filled = torch.diagonal_scatter(x, torch.zeros(3), 1, 0, 1)
        return (
            slopes, even, areas, running, asked, runs, counts, cells, places,
            middle, filled,
        )  # fmt: skip


def inputs():
    return torch.randn(3, 5), torch.tensor([0.0, 0.5, 2.0, 2.5, 4.0])
