"""
title: Instance norm with running statistics in evaluation
description: >
  With track_running_stats=True and after eval(), every image is normalised with the mean and the
  variance that were learned, so that a bright image stays bright. From its own statistics, as
  in training, all images would come out alike.
tags: [torch.module, torch.buffer, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.InstanceNorm2d(3, affine=True, track_running_stats=True).eval()
        self.norm.running_mean.copy_(torch.tensor([0.5, -2.0, 1.0]))
        self.norm.running_var.copy_(torch.tensor([0.25, 4.0, 9.0]))
        with torch.no_grad():
            self.norm.weight.copy_(torch.tensor([1.0, -0.5, 2.0]))

    def forward(self, image):
        return self.norm(image), self.norm(image * 3 + 1)


dynamic_shapes = {"image": {0: Dim("n", min=1, max=16)}}


def inputs(n=5):
    return torch.randn(n, 3, 4, 6)
