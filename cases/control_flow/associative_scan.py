"""
title: associative_scan for running results of an associative function
description: >
  Running maximum by absolute value: a function of two values that may be grouped in any order, so
  the work can be done in a tree instead of one row after another. With combine_mode="generic" the
  tree is written out in ordinary operators.
tags: [torch.associative-scan]
requires: [torch>=2.8]
"""

import torch
from torch._higher_order_ops import associative_scan


class Model(torch.nn.Module):
    def forward(self, xs):
        def farther(a, b):
            return torch.where(a.abs() >= b.abs(), a, b)

        return associative_scan(farther, xs, dim=0, combine_mode="generic")


def inputs():
    return (torch.randn(5, 3),)
