"""
title: Number of nodes taken from the largest index of an edge
description: >
  Without features the number of nodes is one more than the largest target. It is read with item()
  and becomes the size of the result, so the size is data. The rewrite takes it from a tensor that
  has one row for each node.
tags: [torch.scatter, torch.item, torch.unbacked-symbol, torch.data-dependent-shape]
requires: [values]
rewrites: [architectures/message_passing_given_nodes]
dims: {n: {min: 1, max: 12}}
"""

import torch


class Model(torch.nn.Module):
    def forward(self, message, target):
        nodes = target.max().item() + 1
        total = message.new_zeros(nodes, 3).index_add(0, target, message)
        return total / (1 + total.norm())


def inputs(n=5):
    target = torch.randint(n, (7,))
    target[0] = n - 1
    return torch.randn(7, 3), target
