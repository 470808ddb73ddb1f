"""
title: Result kept in a global dict for inspection
description: >
  forward leaves an intermediate tensor in a dict of the file, which is how features are often taken
  out of a model. While tracing it is a fake tensor or a proxy that stays there after the capture; a
  graph leaves nothing there. The rewrite returns it.
tags: [python.attribute, python.data-structure, torch.mutation]
rewrites: [modules/intermediate_result_returned]
"""

import torch

seen = {}


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.linear = torch.nn.Linear(4, 6)

    def forward(self, x):
        seen["hidden"] = self.linear(x)
        return self.linear(x + 1) + seen["hidden"].relu(), seen["hidden"]


def inputs():
    return torch.randn(5, 4)
