"""
title: Changing an input through .data
description: >
  The write goes to the memory of the input, so the caller's tensor changes. The rewrite says the
  same with an in-place operation on the input itself.
tags: [torch.data-attribute, torch.mutation]
rewrites: [mutation/input]
references: [pytorch#170672]
errors: [E0303]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x.data.mul_(2)
        return x.sum(0)


def inputs():
    return (torch.randn(3, 4),)
