"""
title: Forward pre-hook that changes the arguments of a submodule
description: >
  The hook is registered with_kwargs and replaces both a positional and a keyword argument before
  the submodule is called. The submodule never sees what forward passed.
tags: [torch.module, python.closure, python.kwargs]
"""

import torch


class Scale(torch.nn.Module):
    def forward(self, x, factor=2.0):
        return x * factor


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale()

        def shifted(module, args, kwargs):
            return (args[0] + 1,), {"factor": kwargs["factor"] * 10}

        self.scale.register_forward_pre_hook(shifted, with_kwargs=True)

    def forward(self, x):
        return self.scale(x, factor=0.3)


def inputs():
    return torch.randn(3, 4)
