"""
title: Infinities in half precision, resized bytes and complex numbers in double precision
description: >
  nan_to_num replaces an infinity with the largest number of the type at hand, a resized image of
  bytes is rounded to the nearest, a region of autocast has the type that it asks for, and complex
  numbers in double precision keep all their digits.
tags: [torch.sweep, torch.dtype]
requires: [cpu-kernels]
"""

import torch
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, x, image):
        half, brain = (x / 0).half(), (x / 0).bfloat16()
        ends = half.nan_to_num(), brain.nan_to_num(0.5), half.nan_to_num(neginf=-1.0)
        resized = F.interpolate(image, size=(5, 9), mode="bilinear")
        shrunk = F.interpolate(image, size=(2, 3), mode="bilinear", antialias=True)
        with torch.autocast("cpu", dtype=torch.float16):
            product = x @ x.t()
        double = torch.complex(x.double(), x.double() / 3)
        return ends, resized, shrunk, product, double * double, double.abs(), x.short() + 1


def inputs():
    return torch.randn(3, 4), (torch.arange(24) * 37 % 256).to(torch.uint8).view(1, 1, 4, 6)
