"""
title: while_loop instead of a while on a tensor
description: >
  while_loop takes a function that says whether to go on, a function that makes the next values
  from the last, and the first values. The number of rounds is decided by the data of each call.
tags: [torch.while-loop]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        def unfinished(x):
            return x.sum() < 100

        def double(x):
            return (x * 2,)

        (out,) = torch.while_loop(unfinished, double, (x,))
        return out


def inputs():
    return (torch.rand(3, 4) + 1,)


def accepts():
    yield (torch.full((3, 4), 0.1),)
    yield (torch.full((3, 4), 100.0),)
