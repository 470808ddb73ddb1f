"""
title: Tensors of an input list changed in place
description: >
  The input is a list and a dict of tensors, and forward adds to two of the tensors where they lie.
  The caller's containers stay the same; the tensors in them do not.
tags: [torch.mutation, python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, states, named):
        states[1].add_(1)
        named["scale"].mul_(states[0].sum())
        return states[0] + states[1]


def inputs():
    return [torch.randn(3, 4), torch.randn(3, 4)], {"scale": torch.randn(2), "other": torch.ones(5)}
