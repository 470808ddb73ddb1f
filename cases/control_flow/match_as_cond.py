"""
title: Chain of torch.cond instead of a match statement
description: >
  Each case of the match becomes a torch.cond whose false branch asks the next question. The last
  false branch is the default.
tags: [torch.cond]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, mode):
        def one_or_other(x, mode):
            return torch.cond(mode == 1, lambda x: x * 2, lambda x: x.sin(), (x,))

        return torch.cond(mode == 0, lambda x, mode: x + 1, one_or_other, (x, mode))


def inputs():
    return torch.randn(3, 4), torch.tensor(1)


def accepts():
    for mode in (0, 1, 2, -1):
        yield torch.randn(3, 4), torch.tensor(mode)
