"""
title: Histogram with as many bins as the largest value says
description: >
  histc counts into a number of bins that has to be a Python int. Here it is read from the data, so
  the size of the result is a value. Counting by comparison with a fixed number of bins has a fixed
  size.
tags: [torch.item, torch.data-dependent-shape, torch.unbacked-symbol]
requires: [values]
rewrites: [data_dependent/histogram_of_fixed_width]
errors: [E0002]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        bins = int(x.max().item()) + 1
        counts = torch.histc(x, bins=bins, min=-0.5, max=bins - 0.5)
        return torch.nn.functional.pad(counts, (0, 9 - bins))


def inputs():
    return torch.tensor([0.0, 3.0, 3.0, 5.0, 1.0, 3.0])


def accepts():
    yield torch.tensor([8.0, 8.0, 0.0, 2.0, 2.0, 2.0])
    yield torch.tensor([1.0, 0.0, 1.0, 1.0, 1.0, 0.0])
