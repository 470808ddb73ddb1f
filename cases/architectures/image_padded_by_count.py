"""
title: Image padded to a number of squares
description: >
  The numbers of squares are rounded-up quotients, and the padded sizes four times these. That they
  are multiples of four is then written in the expressions themselves.
tags: [torch.dynamic-shape, torch.view, torch.sym-scalar]
references: [pytorch#144852]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, image):
        height, width = image.shape
        rows, columns = (height + 3) // 4, (width + 3) // 4
        lacking = (0, columns * 4 - width, 0, rows * 4 - height)
        image = torch.nn.functional.pad(image, lacking)
        return image.view(rows, 4, columns, 4).amax((1, 3))


dynamic_shapes = {"image": {0: Dim("h", min=5, max=24), 1: Dim("w", min=5, max=24)}}


def inputs(h=9, w=11):
    return torch.randn(h, w)
