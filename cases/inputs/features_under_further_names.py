"""
title: Dict input with an additional key in a later call
description: >
  All features of the dict are concatenated. A call with one more key has to be refused or
  computed; a capture may not silently leave the new feature out.
tags: [python.data-structure]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, features):
        parts = [features[name] for name in sorted(features)]
        return torch.cat(parts, dim=1).sum(1), parts[-1] * len(features)


def inputs():
    return ({"age": torch.randn(4, 1), "place": torch.randn(4, 2)},)


def rejects():
    yield ({"age": torch.randn(4, 1), "place": torch.randn(4, 2), "rank": torch.randn(4, 3)},)
    yield ({"age": torch.randn(4, 1), "rank": torch.randn(4, 2)},)
