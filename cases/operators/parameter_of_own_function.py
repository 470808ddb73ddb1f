"""
title: Parameter that is a tensor subclass with __torch_function__
description: >
  Every function that gets the parameter passes through its class, which doubles what matmul gives.
  Tracing has to run the class's own function, once, and leave what it did. The rewrite doubles
  in forward.
tags: [torch.subclass, torch.parameter]
rewrites: [operators/product_doubled_in_forward]
"""

import torch


class Doubling(torch.nn.Parameter):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        with torch._C.DisableTorchFunctionSubclass():
            result = func(*args, **(kwargs or {}))
        return result * 2 if func in (torch.matmul, torch.Tensor.matmul) else result


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = Doubling(torch.linspace(-1, 1, 12).view(4, 3), requires_grad=False)

    def forward(self, x):
        return torch.matmul(x, self.weight) + self.weight.sum(0)


def inputs():
    return torch.randn(5, 4)
