"""
title: String input that is a prefix of another string
description: >
  The modes "mean" and "mean_of_squares" choose different sums. A capture is made for one string:
  any other has to be refused or computed, however alike the two are.
tags: [torch.scalar-input, python.control-flow]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x, reduction):
        if reduction == "mean":
            return x.mean(0)
        if reduction == "mean_of_squares":
            return x.square().mean(0)
        return x.sum(0)


def inputs():
    return torch.randn(5, 3), "mean"


def rejects():
    yield torch.randn(5, 3), "mean_of_squares"
    yield torch.randn(5, 3), "me"
    yield torch.randn(5, 3), "Mean"
