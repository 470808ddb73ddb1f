"""
title: set_grad_enabled called as a function inside forward
description: >
  The grad mode is switched off and on again by calls instead of a with block. Both take effect
  between the operators around them; a capture has to keep the places.
tags: [torch.autograd]
rewrites: [autograd/scale_without_gradient]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        torch.set_grad_enabled(False)
        scale = x.abs().max()
        torch.set_grad_enabled(True)
        return x / scale


def inputs():
    return torch.randn(3, 4, requires_grad=True)
