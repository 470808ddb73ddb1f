"""
title: type(x) is torch.Tensor
description: >
  type(x) is torch.Tensor is true in eager. While a program is traced without TorchDynamo its
  tensors are of a class of the tracer's own, so the other branch is taken. The rewrite asks with
  isinstance.
tags: [torch.subclass, python.builtin]
rewrites: [python/class_of_tensor_by_isinstance]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if type(x) is torch.Tensor:
            return x.softmax(-1)
        return x


def inputs():
    return torch.randn(3, 4)
