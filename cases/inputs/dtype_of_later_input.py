"""
title: Later input with another dtype than the example
description: >
  The graph is made for float32. The dtype read in forward, here for a new tensor, is a constant
  in it, and no guard asks the dtype of later inputs. Eager follows the input.
tags: [torch.dtype, torch.specialization]
rewrites: [inputs/row_added_by_padding]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.cat([x, torch.ones(1, 4, dtype=x.dtype)])


def inputs():
    return (torch.randn(3, 4),)


def accepts():
    yield (torch.randn(3, 4, dtype=torch.float64),)
    yield (torch.ones(3, 4, dtype=torch.int64),)
