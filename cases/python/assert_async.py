"""
title: torch._assert_async on the values of a tensor
description: >
  The assertion is an operator that takes a boolean tensor and raises when it is false. It stays
  in the graph and speaks up when the data of a later call is bad. torch has no public name for it,
  and nothing public that does the same in a capture.
tags: [python.assert, torch.check]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        torch._assert_async((x > 0).all(), "x must be positive")
        return x.log()


def inputs():
    return (torch.rand(3, 4) + 0.1,)


def accepts():
    yield (torch.full((3, 4), float("inf")),)


def rejects():
    yield (-torch.rand(3, 4),)
