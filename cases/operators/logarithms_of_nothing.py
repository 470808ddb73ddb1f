"""
title: logaddexp, logsumexp and xlogy of zero probabilities
description: >
  A state with probability zero has the logarithm minus infinity. logaddexp of two of them is
  minus infinity and xlogy of zero is zero; a backend that spells the formulas out gets NaN.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, p, q):
        a, b = p.log(), q.log()
        added = torch.logaddexp(a, b), torch.logaddexp2(a, b), a.logsumexp(1), a.logcumsumexp(1)
        entropy = torch.xlogy(p, q), torch.special.entr(p), torch.special.xlog1py(p, -q)
        shares = a.softmax(1), a.log_softmax(1), torch.nn.functional.kl_div(a, q, reduction="none")
        return added, entropy, shares, torch.sinc(p), p.logit(), (a - b).exp().nan_to_num(0.0)


n = Dim("n", min=1, max=16)
dynamic_shapes = {"p": {0: n}, "q": {0: n}}


def inputs(n=5):
    return torch.rand(n, 3), torch.rand(n, 3)


def accepts():
    yield torch.tensor([[0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]), torch.tensor([[0.0, 1.0, 0.0]] * 2)
    yield torch.zeros(2, 3), torch.zeros(2, 3)
