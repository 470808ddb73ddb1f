"""
title: Logits below the k-th largest removed
description: >
  Sampling among the k likeliest words sets all other logits to minus infinity. k may not exceed
  the number of words; which of both it is, is decided once while tracing. The rewrite lengthens
  the vocabulary first.
tags: [torch.dynamic-shape, torch.guard, torch.sym-scalar]
rewrites: [decoding/top_k_filter_padded]
pitfalls: [top_k/sym_min_of_constant_and_size, top_k/sorted_and_cut]
errors: [E0102]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, logits):
        k = 6 if logits.shape[-1] > 6 else logits.shape[-1]
        smallest = logits.topk(k).values[..., -1:]
        return logits.masked_fill(logits < smallest, -torch.inf).softmax(-1)


dynamic_shapes = {"logits": {1: Dim("words", min=2, max=64)}}


def inputs(words=11):
    return (torch.randn(3, words),)
