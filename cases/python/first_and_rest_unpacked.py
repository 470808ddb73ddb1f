"""
title: List of tensors unpacked into a first one and the rest
description: >
  `first, *rest = tensors` makes a new list while tracing. The capture knows the list by its length
  alone, so for another length it has to refuse.
tags: [python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, tensors):
        first, *rest = tensors
        for tensor in rest:
            first = first * 2 + tensor
        return first, *rest


def inputs():
    return ([torch.randn(3), torch.randn(3), torch.randn(3)],)
