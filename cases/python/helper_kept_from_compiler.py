"""
title: Helper marked with torch.compiler.disable
description: >
  The mark asks torch.compile to leave the function in Python, which it can do between two graphs.
  An export has one graph and nothing between: it refuses, or looks into the function as if there
  were no mark. The rewrite leaves the mark out.
tags: [python.decorator, python.control-flow]
rewrites: [python/helper_for_compiler]
errors: [E0611]
"""

import torch


@torch.compiler.disable
def scaled(x):
    return x * 2 if x.ndim == 2 else x * 3


class Model(torch.nn.Module):
    def forward(self, x):
        return scaled(x).sum(0) + scaled(x[0])


def inputs():
    return torch.randn(4, 3)
