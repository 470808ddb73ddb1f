"""
title: Calling .numpy() in forward
description: >
  The tensor leaves torch, is worked on by NumPy and comes back. What happens outside torch is
  invisible to a tracer that records torch operators. The rewrite uses the torch function of the
  same name.
tags: [python.builtin]
requires: [values, numpy]
rewrites: [python/torch_instead_of_numpy]
errors: [E0301]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        array = x.numpy()
        return torch.from_numpy(array.clip(-1, 1)) + 1


def inputs():
    return (torch.randn(3, 4),)
