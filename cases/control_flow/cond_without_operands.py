"""
title: torch.cond without operands
description: >
  The branches take no arguments and find x in the enclosing function. The operands may be left
  out altogether; what the branches capture becomes operands of the operator in the graph.
tags: [torch.cond, python.closure]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, limit):
        def clipped():
            return x.clamp(max=1.0) - limit

        def scaled():
            return x / limit

        return torch.cond(x.abs().max() > limit, clipped, scaled)


def inputs():
    return torch.randn(3, 4) * 3, torch.tensor(2.0)


def accepts():
    yield torch.full((3, 4), 3.0), torch.tensor(2.0)
    yield torch.full((3, 4), 1.5), torch.tensor(2.0)
    yield torch.full((3, 4), -5.0), torch.tensor(2.0)
