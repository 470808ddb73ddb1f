"""
title: torch.cond with a bool that callers pass as a tensor
description: >
  The flag comes as a tensor of one bool, so it is data, and either branch may run in each call.
tags: [torch.cond]
requires: [values]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, flag):
        return torch.cond(torch.as_tensor(flag), lambda x: x.sin(), lambda x: x.cos(), (x,))


def inputs():
    return torch.randn(3, 4), torch.tensor(True)


def accepts():
    yield torch.randn(3, 4), torch.tensor(False)
