"""
title: copy.deepcopy of a tensor in forward
description: >
  deepcopy copies the memory of a tensor by means of its own, not by an operator that a tracer
  records, so the copy may come out without sizes or values. It is worked on in place, so that its
  sizes count: what it holds by chance must not decide. The rewrite uses clone, which is one.
tags: [python.builtin]
rewrites: [python/clone_of_tensor]
errors: [E0302, E0304, E0311, E0314, E0513]
"""

import copy

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        y = copy.deepcopy(x)
        y.add_(1)
        y.mul_(x)
        return y


def inputs():
    return (torch.randn(3, 4),)
