"""
title: Bytes are divided by 255, numbers with a fraction are taken as they are
description: >
  The program asks is_floating_point before it scales an image. A capture has the answer for the dtype of the example,
  and must refuse images of the other kind, or it scales what is scaled already.
tags: [torch.dtype, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, image):
        if not image.is_floating_point():
            image = image.to(torch.float32) / 255
        return image.clamp(0, 1), image.mean((1, 2))


dynamic_shapes = {"image": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return (torch.arange(n * 12) * 37 % 256).reshape(n, 3, 4).to(torch.uint8)


def rejects():
    yield torch.linspace(-0.5, 1.5, 60).reshape(5, 3, 4)
    yield torch.linspace(-0.5, 1.5, 60, dtype=torch.float64).reshape(5, 3, 4)
