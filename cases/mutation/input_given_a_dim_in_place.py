"""
title: Input that is given another dimension in place
description: >
  unsqueeze_ changes the caller's own tensor: after the call it has a dimension more. What was noted of
  the input while tracing has one size for each of its dimensions, and the guards are made from the
  tensor as it is then.
advice: >
  Call unsqueeze and return what is needed of it: no operator of a graph gives the tensor of the
  caller another dimension.
tags: [torch.mutation]
references: [pytorch#129673, pytorch#198100]
errors: [E0212]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x.unsqueeze_(0)
        return x * 2


def inputs():
    return (torch.randn(5, 3),)
