"""
title: Patches of an image taken out (unfold) and added back (fold)
description: >
  unfold lists overlapping patches as columns, fold adds them up where they overlap, so that the
  one does not undo the other. pixel_shuffle moves channels into space without any sum.
tags: [torch.view, torch.dynamic-shape]
"""

import torch
from torch.export import Dim
from torch.nn import functional as F


class Model(torch.nn.Module):
    def forward(self, image):
        columns = F.unfold(image, (2, 3), dilation=1, padding=(0, 1), stride=(1, 2))
        together = F.fold(columns, (5, 6), (2, 3), padding=(0, 1), stride=(1, 2))
        moved = F.pixel_unshuffle(image[:, :, :4], 2), F.pixel_shuffle(image, 2)
        return columns, together, moved, F.channel_shuffle(image, 2), image.unfold(2, 3, 2)


dynamic_shapes = {"image": {0: Dim("n", min=1, max=16)}}


def inputs(n=7):
    return (torch.randn(n, 4, 5, 6),)
