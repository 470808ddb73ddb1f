"""
title: Program that leaves requires_grad to its caller
description: >
  Whether gradients are recorded is a matter of who calls the program. Inside of it a tensor is
  only computed with.
tags: [torch.autograd]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        anchor = torch.ones(3, 4)
        return (x * anchor).sin()


def inputs():
    return torch.randn(3, 4)
