"""
title: Average over results kept in a list on self
description: >
  forward appends its result to a list and returns the average of all so far: at the second call
  that of two. A capture that has the list of one moment in it averages over the same number of
  results at every call. The rewrite keeps their sum and their count in buffers.
tags: [python.attribute, python.data-structure, torch.mutation]
rewrites: [python/average_over_summed_results]
errors: [E0512]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.kept = []

    def forward(self, x):
        self.kept.append(x.tanh().detach())
        return torch.stack(self.kept).mean(0)


def inputs():
    return torch.randn(3, 4)
