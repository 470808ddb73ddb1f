"""
title: Shape of a tensor in the message of a ValueError
description: >
  forward checks its input and raises an error whose message contains the shape. The condition is a
  guard on a size; the message is only built when the check fails, and a capture has to refuse the
  same inputs. torch._check says the same in a way that stays in the graph.
tags: [python.exception, torch.guard, torch.dynamic-shape]
rewrites: [detection/check_without_message]
pitfalls: [detection/check_message_with_shape]
references: [pytorch#108805, pytorch#118884]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, image, boxes):
        if boxes.shape[0] > image.shape[1]:
            raise ValueError(f"more boxes than rows: {tuple(boxes.shape)}, {tuple(image.shape)}")
        return boxes / image.shape[1]


rows, n = Dim("rows", min=16, max=64), Dim("n", min=1, max=16)
dynamic_shapes = {"image": {1: rows}, "boxes": {0: n}}


def inputs(rows=32, n=5):
    return torch.randn(3, rows, 24), torch.rand(n, 4)


def rejects():
    yield torch.randn(3, 16, 24), torch.rand(17, 4)
