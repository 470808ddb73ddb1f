"""
title: Image features put in the place of image tokens, after counting both
description: >
  The text has a placeholder for each image feature, and forward raises an error unless there are as
  many of one as of the other. How many placeholders there are is data, and Python has to know it.
  The rewrite gives the condition to torch._check.
tags: [torch.attention, torch.item, python.exception]
requires: [values]
rewrites: [transformers/image_tokens_checked]
pitfalls: [python/assert_on_value]
errors: [E0001, E0005]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, ids, embedded, features):
        places = ids == 9
        if places.sum() != features.shape[0]:
            raise ValueError("image features and image tokens do not match")
        return embedded.masked_scatter(places[:, None], features)


def inputs():
    return torch.tensor([1, 9, 9, 2, 9, 5]), torch.randn(6, 4), torch.randn(3, 4)


def accepts():
    yield torch.tensor([9, 9, 0, 2, 1, 9]), torch.randn(6, 4), torch.randn(3, 4)


def rejects():
    yield torch.tensor([1, 9, 9, 2, 9, 9]), torch.randn(6, 4), torch.randn(3, 4)
    yield torch.tensor([1, 9, 0, 2, 9, 5]), torch.randn(6, 4), torch.randn(3, 4)
