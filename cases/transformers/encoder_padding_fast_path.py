"""
title: nn.TransformerEncoder in eval mode with a padding mask
description: >
  Outside of training, and without gradients, the encoder has a fast path that packs the tokens and
  fills the padded positions of its result with zeros. The slow path computes them like any other.
  Which one is taken depends on flags and on the tensors, not on anything that the model says.
tags: [torch.attention, torch.module, torch.autograd]
requires: [attention, values]
rewrites: [transformers/encoder_padding_zeroed]
references: [pytorch#97111]
allow:
  L052: where padding comes before a token, the fast path takes the tokens for the first ones
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        layer = torch.nn.TransformerEncoderLayer(4, nhead=2, dim_feedforward=8, batch_first=True)
        self.encoder = torch.nn.TransformerEncoder(layer, num_layers=1)
        self.eval().requires_grad_(False)

    def forward(self, x, padding):
        return self.encoder(x, src_key_padding_mask=padding)


def inputs():
    lengths = torch.tensor([5, 3, 2])
    return torch.randn(3, 5, 4), torch.arange(5) >= lengths[:, None]


def accepts():
    lengths = torch.tensor([1, 5, 4])
    yield torch.randn(3, 5, 4), torch.arange(5) >= lengths[:, None]
    yield torch.randn(3, 5, 4), torch.zeros(3, 5, dtype=torch.bool)
