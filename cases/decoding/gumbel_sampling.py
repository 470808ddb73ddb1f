"""
title: Sampling a token with noise that is given
description: >
  The word with the largest sum of logit and Gumbel noise is a sample of the distribution. The
  uniform numbers are an input, so the same inputs give the same token in every runtime.
tags: [torch.random, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, logits, uniform, temperature):
        noise = -torch.log(-torch.log(uniform.clamp(1e-6, 1 - 1e-6)))
        return (logits / temperature + noise).argmax(-1)


batch, words = Dim("batch", min=1, max=8), Dim("words", min=1, max=64)
dynamic_shapes = {
    "logits": {0: batch, 1: words},
    "uniform": {0: batch, 1: words},
    "temperature": None,
}


def inputs(batch=3, words=11):
    return torch.randn(batch, words), torch.rand(batch, words), torch.tensor(0.8)
