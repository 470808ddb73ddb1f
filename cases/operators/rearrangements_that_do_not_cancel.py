"""
title: Transposes, permutes, flips and reshapes in a row that do not cancel
description: >
  Two transposes, permutes, flips or reshapes are the identity only if the second undoes the
  first. A copy that is removed, or moved behind a view, changes what is written where.
tags: [torch.sweep, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        turned = x.transpose(0, 1).transpose(1, 2), x.permute(1, 2, 0).permute(0, 2, 1)
        flipped = x.flip(1).flip(2), x.roll(1, 1).roll(1, 2), x.movedim(0, 2).movedim(0, 1)
        shaped = x.reshape(-1, 12).reshape(-1, 6).view(-1, 4), x.transpose(1, 2).reshape(-1, 12)
        summed = x.transpose(1, 2).sum(1), x.permute(0, 2, 1).mean(2), x.mT.softmax(1)
        joined = torch.cat([x[:0], x]), torch.cat([x, x[:, :0]], 1), x.mT.contiguous().view(-1, 4)
        copy = x.clone()
        copy.select(1, 0).add_(1)
        copy[:, :, 1:].mul_(2).sub_(x[:, :, 1:])
        whole = x.expand(2, -1, -1, -1).clone().contiguous()
        whole[0].fill_(3).mul_(x)
        cut = x[:, -2:], x[:, ::2, -1], x[..., -3:-1], x.narrow(1, -2, 2), x.select(2, -1)
        return turned, flipped, shaped, summed, joined, copy, whole, cut, x.unsqueeze(1).squeeze(1)


dynamic_shapes = {"x": {0: Dim("n", min=2, max=16)}}


def inputs(n=5):
    return (torch.randn(n, 4, 3),)
