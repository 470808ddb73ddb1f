"""
title: logit, xlogy, entr, igamma, ldexp and frexp
description: >
  Logarithms of shares are infinite at their ends and NaN beyond; incomplete gamma functions take
  two arguments, and frexp gives two results.
tags: [torch.sweep, torch.dynamic-shape]
tolerance: {rtol: 0.0001, atol: 0.0001}
"""

import torch
from torch import special
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        p = x.sigmoid()
        shares = p.logit(), p.logit(eps=0.3), torch.xlogy(x, p), special.xlog1py(x, p)
        gammas = torch.igamma(p, p * 2), torch.igammac(p, p)
        return shares, special.entr(p), gammas, torch.ldexp(x, torch.tensor(3)), torch.frexp(x)


dynamic_shapes = {"x": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 3),)


def accepts():
    yield (torch.randn(4, 3) * 6,)
