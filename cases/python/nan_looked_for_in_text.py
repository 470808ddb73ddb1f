"""
title: NaN looked for in the text of a tensor
description: >
  What is printed while a program is debugged ends up in a condition. While a program is traced the
  text of a tensor has its dtype and sizes and no numbers, so that "nan" is never found and the
  branch is gone without a guard. The rewrite replaces each NaN where it is.
tags: [torch.specialization, python.builtin, python.control-flow]
rewrites: [python/nan_replaced_where_it_is]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if "nan" in str(x):
            x = torch.where(x.isnan(), 0, x)
        return x * 2


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.tensor([[1.0, float("nan"), 2.0, 3.0]] * 3),)
