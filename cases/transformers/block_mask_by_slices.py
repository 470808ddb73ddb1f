"""
title: Mask of packed sequences written block by block
description: >
  Several sequences lie in one row, and a tensor lists where each begins and ends. The block of each
  is set with a slice whose bounds are elements of that tensor, so every slice has a size that is
  data. The rewrite numbers the tokens by sequence and compares the numbers.
tags: [torch.attention, torch.item, torch.unbacked-symbol, torch.mutation]
requires: [values]
rewrites: [transformers/block_mask_by_number]
references: [huggingface/transformers#39121, huggingface/transformers#47871]
errors: [E0002]
allow:
  L052: bounds that do not rise bound no sequences, and each makes something else of them
"""

import torch


class Model(torch.nn.Module):
    def forward(self, scores, bounds):
        mask = torch.zeros_like(scores, dtype=torch.bool)
        for i in range(1, bounds.shape[0]):
            block = slice(bounds[i - 1], bounds[i])
            mask[block, block] = True
        return scores.masked_fill(~mask, -1e9).softmax(-1)


def inputs():
    return torch.randn(7, 7), torch.tensor([0, 2, 5, 7])


def accepts():
    yield torch.randn(7, 7), torch.tensor([0, 1, 2, 7])
    yield torch.randn(7, 7), torch.tensor([0, 4, 4, 7])
