"""
title: Attention over the whole batch, the result chosen by a mask
description: >
  All sequences are attended to, and torch.where keeps the old rows where the mask is false. It
  computes more than is needed, with sizes that are known.
tags: [torch.attention]
requires: [attention]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, active):
        y = torch.nn.functional.scaled_dot_product_attention(x, x, x)
        return torch.where(active[:, None, None, None], y, x)


def inputs():
    return torch.randn(4, 2, 5, 3), torch.tensor([True, False, True, True])


def accepts():
    yield torch.randn(4, 2, 5, 3), torch.tensor([False, False, False, False])
