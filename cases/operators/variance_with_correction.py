"""
title: Variance with and without correction
description: >
  var and std divide by one less than the count unless correction says otherwise; of one element
  that is NaN.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.var(-1), x.var(-1, correction=0), x.std(0, keepdim=True), x[:, :1].var(-1)


def inputs():
    return torch.randn(3, 4)
