"""
title: torch.set_default_device called in forward
description: >
  The call changes where factories of the whole process make their tensors, until it is taken back.
  While tracing it is carried out, and a graph keeps of it only the device that each factory was
  given. The rewrite names the device where the tensor is made.
tags: [torch.device]
rewrites: [devices/factory_on_device_of_input]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        torch.set_default_device(x.device)
        try:
            return x + torch.arange(3.0)
        finally:
            torch.set_default_device(None)


def inputs():
    return torch.randn(5, 3)
