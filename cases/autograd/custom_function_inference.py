"""
title: torch.autograd.Function used for inference
description: >
  The same kind of function as in training, but only its result matters. Its forward is made of
  ordinary operators; for inference a capture needs nothing else.
tags: [torch.autograd]
"""

import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        s = x.sigmoid()
        return gradient * (s + x * s * (1 - s))


class Model(torch.nn.Module):
    def forward(self, x):
        return Swish.apply(x)


def inputs():
    return torch.randn(3, 4)
