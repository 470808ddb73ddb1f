"""
title: Features in a dict, with a name more in another call
description: >
  All features that come under some name are put side by side. A name more than at the example is
  another call, which must be refused or computed; left out in silence it must not be.
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
