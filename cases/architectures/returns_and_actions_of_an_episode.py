"""
title: Returns, actions and masks of a batch of episodes
description: >
  What is still to come is a running sum from the end, the cheapest action is the largest of
  negated costs, and an episode counts if none of its steps is marked. Each is a pattern of two or
  three operators that a pass may take for a shorter one.
tags: [torch.sweep, torch.operator, torch.dynamic-shape]
"""

import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, rewards, costs, done):
        to_come = rewards.flip(1).cumsum(1).flip(1)
        action, second = (costs * -1.0).argmax(2), costs.max(2)[1]
        valid = torch.logical_not(done.any(1))
        gain = torch.where(valid[:, None], torch.where(done, 0.0, to_come), -1.0)
        aligned = torch.arange(rewards.shape[1]) // 4 * 4
        chance = rewards.log() + (rewards - 1).log()
        features = torch.cat(costs.chunk(2, 2), 1).relu().mean(1)
        pairs = costs[0].t() @ costs[1, :, :3].reshape(3, -1).t()
        return action, second, gain, aligned, chance, features, pairs


n = Dim("n", min=2, max=8)
dynamic_shapes = {"rewards": {0: n}, "costs": {0: n}, "done": {0: n}}


def inputs(n=5):
    return torch.randn(n, 7), torch.randn(n, 7, 4), torch.arange(7 * n).reshape(n, 7) % 11 == 5
