"""
title: Top-p words kept by a mask
description: >
  The words outside of the nucleus stay in the tensor with the probability 0, so its size is that
  of the vocabulary whatever the data says.
tags: [torch.data-dependent-shape]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, logits):
        ordered = logits.softmax(-1).sort(descending=True).values
        kept = ordered.cumsum(-1) - ordered < 0.7
        ordered = ordered * kept
        return (ordered / ordered.sum()).square().sum()


def inputs():
    return (torch.randn(9),)


def accepts():
    yield (torch.zeros(9),)
    yield (torch.tensor([20.0, 0, 0, 0, 0, 0, 0, 0, 0]),)
