"""
title: Image features put in the place of image tokens, the count checked with torch._check
description: >
  The number of placeholders is read with item() and compared in torch._check, so the comparison is
  part of the graph and is made in every call. Other counts are an error there.
tags: [torch.attention, torch.item, torch.check, torch.unbacked-symbol]
requires: [values]
references: [pytorch#151127]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, ids, embedded, features):
        places = ids == 9
        torch._check(places.sum().item() == features.shape[0])
        return embedded.masked_scatter(places[:, None], features)


def inputs():
    return torch.tensor([1, 9, 9, 2, 9, 5]), torch.randn(6, 4), torch.randn(3, 4)


def accepts():
    yield torch.tensor([9, 9, 0, 2, 1, 9]), torch.randn(6, 4), torch.randn(3, 4)


def rejects():
    yield torch.tensor([1, 9, 9, 2, 9, 9]), torch.randn(6, 4), torch.randn(3, 4)
    yield torch.tensor([1, 9, 0, 2, 9, 5]), torch.randn(6, 4), torch.randn(3, 4)
