"""
title: contextlib.nullcontext in place of autocast for a part of forward
description: >
  One product runs in autocast, the other in contextlib.nullcontext, which does nothing but give the
  name after `as` what it was made with. Which of the two it is is decided while tracing. The second
  product has to stay in float32.
tags: [python.context-manager, torch.dtype]
requires: [values] # autocast knows no meta device
"""

import contextlib

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        products = []
        for rough in True, False:
            kind = torch.autocast(x.device.type, torch.bfloat16)
            with kind if rough else contextlib.nullcontext(x * 2) as given:
                products.append((x if rough else given) @ y)
        return products


def inputs():
    return torch.randn(3, 4), torch.randn(4, 6)
