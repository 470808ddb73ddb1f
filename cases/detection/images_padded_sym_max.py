"""
title: Images padded to the largest size with torch.sym_max
description: >
  The largest height is an expression of all heights, and each image is padded by what it lacks. No
  size is compared while tracing.
tags: [torch.dynamic-shape, torch.sym-scalar, python.data-structure]
references: [pytorch#108805]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, images):
        a, b = images
        height = torch.sym_max(a.shape[0], b.shape[0])
        pad = torch.nn.functional.pad
        return torch.stack([pad(image, (0, 0, 0, height - image.shape[0])) for image in images])


dynamic_shapes = {"images": [{0: Dim("h", min=2, max=32)}, {0: Dim("k", min=2, max=32)}]}


def inputs(h=5, k=7):
    return ([torch.randn(h, 4), torch.randn(k, 4)],)
