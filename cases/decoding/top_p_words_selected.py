"""
title: Top-p words cut out of the vocabulary
description: >
  The kept words are selected with their count, read by item(), as the end of a slice: the result
  has as many words as the data says, and between 1 and all of them. The rewrite keeps every word
  and gives those outside the probability 0.
tags: [torch.item, torch.unbacked-symbol, torch.view]
requires: [values]
rewrites: [decoding/top_p_words_zeroed]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, logits):
        ordered = logits.softmax(-1).sort(descending=True).values
        kept = (ordered.cumsum(-1) < 0.7).sum().item() + 1
        ordered = ordered[:kept]
        return (ordered / ordered.sum()).square().sum()


def inputs():
    return (torch.randn(9),)


def accepts():
    yield (torch.zeros(9),)
    yield (torch.tensor([20.0, 0, 0, 0, 0, 0, 0, 0, 0]),)
