"""
title: inference_mode block inside forward
description: >
  What is computed in the block is marked as never needing a gradient. For the values that makes
  no difference; a tracer of bytecode has to know the context manager all the same. no_grad says
  as much and is known.
tags: [torch.autograd, python.context-manager]
rewrites: [autograd/no_grad_block]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        with torch.inference_mode():
            scale = x.abs().max()
        return x / scale


def inputs():
    return torch.randn(3, 4)
