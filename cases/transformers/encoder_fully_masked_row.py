"""
title: nn.TransformerEncoderLayer with a query that may look at no key
description: >
  Causal mask and padding on the left leave the first queries no key at all. The fast path for
  inference gives NaN there, and the other path zeros from the attention; which one runs depends on
  flags and on the tensors.
advice: >
  Call torch.backends.mha.set_fastpath_enabled(False) before eager and before the export: then
  both take the path that gives zeros.
tags: [torch.attention, torch.module, torch.autograd]
requires: [attention]
references: [pytorch#190486]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.TransformerEncoderLayer(4, 2, dim_feedforward=8, batch_first=True)
        self.eval().requires_grad_(False)

    def forward(self, x, padding):
        causal = torch.ones(5, 5, dtype=torch.bool).triu(1)
        return self.layer(x, src_mask=causal, src_key_padding_mask=padding)


def inputs():
    return torch.randn(3, 5, 4), torch.arange(5) < torch.tensor([[0], [2], [1]])


def accepts():
    yield torch.randn(3, 5, 4), torch.zeros(3, 5, dtype=torch.bool)
