"""
title: Rows and columns of packed patches (NaViT, Qwen-VL), image by image
description: >
  Images of different sizes are packed into one sequence; a tensor has height and width of each.
  tolist() brings them to Python, and the sizes of what is concatenated are not known. The rewrite
  works out the place of every patch of the sequence.
tags: [torch.item, torch.unbacked-symbol, torch.attention]
requires: [values]
rewrites: [architectures/patch_positions_by_search]
errors: [E0002]
"""

import torch


class Model(torch.nn.Module):
    def forward(self, patches, grids):
        places = []
        for height, width in grids.tolist():
            rows = torch.arange(height)[:, None].expand(-1, width)
            columns = torch.arange(width).expand(height, -1)
            places.append(torch.stack([rows.flatten(), columns.flatten()], dim=1))
        angles = torch.cat(places).float() @ torch.tensor([[1.0, 0.1, 0.0], [0.0, 0.3, 1.0]])
        return patches * angles.cos()


def inputs():
    return torch.randn(23, 3), torch.tensor([[3, 5], [2, 4]])


def accepts():
    yield torch.randn(23, 3), torch.tensor([[1, 9], [7, 2]])
    yield torch.randn(23, 3), torch.tensor([[5, 4], [3, 1]])
