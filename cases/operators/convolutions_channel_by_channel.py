"""
title: Convolutions of each channel by itself, with wide steps and odd ends
description: >
  As many groups as channels, several results of each, steps of three between the taps, and a
  transposed convolution that adds a row at the end.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
import torch.nn.functional as F
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.linspace(-1, 1, 36).sin().reshape(4, 1, 3, 3))
        self.bias = torch.nn.Parameter(torch.linspace(-0.5, 0.5, 4))

    def forward(self, x):
        weight = self.weight
        deep = [F.conv2d(x, weight, groups=4)]
        deep += [F.conv2d(x, weight.repeat(2, 1, 1, 1), groups=4, padding=2, dilation=2)]
        wide = [F.conv2d(x, weight, self.bias, padding=3, dilation=3, groups=4)]
        wide += [F.conv2d(x, weight, stride=2, padding="valid", groups=4)]
        back = [F.conv_transpose2d(x, weight, stride=2, padding=1, output_padding=1, groups=4)]
        back += [F.conv_transpose2d(x, weight, stride=3, dilation=2, groups=4)]
        line = [F.conv1d(x[:, :, 0], weight[:, :, 0], groups=4, padding=2)]
        line += [F.conv_transpose1d(x[:, :, 0], weight[:, :, 0], None, 2, 0, 1, 4)]
        volume = [F.conv3d(x[:, None], weight[:2, None], padding=2, dilation=2)]
        volume += [F.conv_transpose3d(x[:, None], weight[:1, None], stride=2, output_padding=1)]
        rest = [F.conv2d(x, weight.repeat(1, 2, 1, 1), groups=2, padding="same")]
        return deep, wide, back, line, volume, rest


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=7):
    return (torch.randn(n, 4, 8, 9),)
