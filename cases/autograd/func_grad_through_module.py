"""
title: torch.func.grad through a layer of the module
description: >
  The gradient of a loss with respect to the input, where the loss runs a layer with parameters of
  its own. A tracer meets the parameters inside of the transform, where it cannot make stand-ins of
  them. The rewrite writes the gradient of the layer as a product.
tags: [torch.functional-transform, torch.autograd, torch.parameter]
rewrites: [autograd/gradient_of_layer_by_hand]
errors: [E0427]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        return torch.func.grad(lambda point: self.layer(point).square().sum())(x)


def inputs():
    return torch.randn(3, 4)
