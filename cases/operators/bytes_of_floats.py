"""
title: Floats seen as bytes, for a checksum and for a packet
description: >
  view(torch.uint8) shows four bytes for each float32, the least significant first, and the last dim
  is four times as long. A checksum of the bytes depends on their order, and the other way round
  four bytes become a float again.
tags: [torch.dtype, torch.view]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        raw = x.view(torch.uint8)
        weights = torch.arange(raw.shape[1]) % 7 + 1
        packet = torch.cat([x.new_zeros(x.shape[0], 1).view(torch.uint8), raw], 1)
        shorts = x.view(torch.int16)[:, 1::2]
        return (raw * weights).sum(1), packet.view(torch.float32), raw[:, 3::4] >> 7, shorts


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3)
