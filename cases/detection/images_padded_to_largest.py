"""
title: Images of different sizes padded to one batch
description: >
  The list holds images of different heights and widths. All are padded to the largest height and
  width and stacked. max() compares sizes: where that is decided while tracing, a capture knows
  only which image was the larger one. The rewrite uses torch.sym_max.
tags: [torch.dynamic-shape, torch.guard, torch.sym-scalar, python.data-structure]
rewrites: [detection/images_padded_sym_max]
references: [pytorch#108805]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, images):
        height = max(image.shape[0] for image in images)
        padded = []
        for image in images:
            batched = image.new_zeros(height, 4)
            batched[: image.shape[0]] = image
            padded.append(batched)
        return torch.stack(padded)


dynamic_shapes = {"images": [{0: Dim("h", min=2, max=32)}, {0: Dim("k", min=2, max=32)}]}


def inputs(h=5, k=7):
    return ([torch.randn(h, 4), torch.randn(k, 4)],)
