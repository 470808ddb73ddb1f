"""
title: Images of bytes, widened before they are added or multiplied
description: >
  The sum of two bytes does not fit into one, and the product of two numbers in half precision may
  be infinite there: the casts come first, and may not be moved behind.
tags: [torch.dtype]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, left, right, gain):
        total = left.to(torch.int32) + right.to(torch.int32)
        return total // 2, gain.to(torch.float32) * (gain * 3).to(torch.float32)


def inputs():
    left, right = torch.tensor([200, 17, 255], dtype=torch.uint8), torch.tensor([90, 4, 255])
    return left, right.to(torch.uint8), torch.tensor([200.0, 0.5, -3.0], dtype=torch.float16)
