"""
title: Input transposed in place
description: >
  t_() changes the sizes and strides of the caller's own tensor and none of its numbers: after the
  call the caller holds a tensor of another shape.
advice: >
  Call t() and return what is needed of it, or export with strict=False: TorchDynamo follows no
  call that turns an input in place.
tags: [torch.mutation, torch.stride]
errors: [E0212]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        x.t_()
        return x * 2


def inputs():
    return (torch.randn(3, 5),)
