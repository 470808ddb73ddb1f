"""
title: Logits below the k-th largest removed, the vocabulary padded by k words
description: >
  k words with the logit minus infinity are put behind the vocabulary, so there are always k to
  choose from. Where the vocabulary has fewer, the k-th largest is minus infinity and removes none.
tags: [torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, logits):
        padded = torch.nn.functional.pad(logits, (0, 6), value=-torch.inf)
        smallest = padded.topk(6).values[..., -1:]
        return logits.masked_fill(logits < smallest, -torch.inf).softmax(-1)


dynamic_shapes = {"logits": {1: Dim("words", min=2, max=64)}}


def inputs(words=11):
    return (torch.randn(3, words),)
