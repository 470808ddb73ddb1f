"""
title: nn.TransformerEncoder without nested tensors, padding set to zero
description: >
  The encoder is told not to pack the tokens, and the padded positions are set to zero in the open.
  The result is then the same on every path through the module.
advice: >
  Call the capture outside of autocast, or convert model and inputs to the smaller type by hand
  before the export: autocast of the call does not reach the fast path in the graph.
tags: [torch.attention, torch.module]
requires: [attention]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        layer = torch.nn.TransformerEncoderLayer(4, nhead=2, dim_feedforward=8, batch_first=True)
        self.encoder = torch.nn.TransformerEncoder(layer, num_layers=1, enable_nested_tensor=False)
        self.eval().requires_grad_(False)

    def forward(self, x, padding):
        y = self.encoder(x, src_key_padding_mask=padding)
        return y.masked_fill(padding[..., None], 0)


def inputs():
    lengths = torch.tensor([5, 3, 2])
    return torch.randn(3, 5, 4), torch.arange(5) >= lengths[:, None]


def accepts():
    lengths = torch.tensor([1, 5, 4])
    yield torch.randn(3, 5, 4), torch.arange(5) >= lengths[:, None]
