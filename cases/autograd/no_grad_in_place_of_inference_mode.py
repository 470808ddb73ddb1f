"""
title: no_grad in place of inference_mode inside forward
description: >
  For a block within a model no_grad is enough: the scale has no gradient, and is an ordinary
  tensor.
tags: [torch.autograd, python.context-manager]
train: true
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        with torch.no_grad():
            scale = x.abs().max()
        return x / scale


def inputs():
    return torch.randn(3, 4, requires_grad=True)
