"""
title: Loss of a language model, labels shifted by one
description: >
  The logits up to the last but one token are compared with the labels from the second on. Both
  slices have the length minus one, and labels of -100 count for nothing; if all of them are, the
  mean over none is NaN.
tags: [torch.attention, torch.dynamic-shape, torch.derived-dim]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, logits, labels):
        logits, labels = logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()
        return torch.nn.functional.cross_entropy(logits, labels, ignore_index=-100)


batch, n = Dim("batch", min=2, max=8), Dim("n", min=3, max=32)
dynamic_shapes = {"logits": {0: batch, 1: n}, "labels": {0: batch, 1: n}}


def inputs(batch=3, n=7):
    return torch.randn(batch, n, 5), torch.randint(5, (batch, n))


def accepts():
    yield torch.randn(3, 7, 5), torch.full((3, 7), -100)
    labels = torch.randint(5, (3, 7))
    labels[:, :4] = -100
    yield torch.randn(3, 7, 5), labels
