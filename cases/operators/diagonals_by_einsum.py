"""
title: einsum with a letter that one operand has twice
description: >
  A letter that stands twice in one operand is its diagonal; one that the result leaves out is
  summed over, and the two together are a trace.
tags: [torch.operator]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, y):
        diagonal, trace = torch.einsum("bii->bi", x), torch.einsum("bii->b", x)
        return (
            diagonal,
            trace,
            torch.einsum("bii,bij->bj", x, y),
            torch.einsum("bij,bji->bij", x, y),
        )


def inputs():
    return torch.randn(2, 4, 4), torch.randn(2, 4, 4)
