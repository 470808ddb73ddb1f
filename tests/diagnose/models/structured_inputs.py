"""A ranker that takes a dataclass, a dict of features and a mask that may be left out."""

from dataclasses import dataclass

import torch
from torch.export import Dim


@dataclass
class Query:
    embedding: torch.Tensor
    boost: torch.Tensor


class Ranker(torch.nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.mix = torch.nn.Linear(width, width)

    def forward(self, query, features, mask=None):
        items = self.mix(features["items"]) + features["bias"][:, None]
        scores = items @ query.embedding * query.boost
        if mask is not None:
            scores = scores.masked_fill(mask, 0.0)
        return scores.softmax(dim=0)


def make():
    count = Dim("count", min=2, max=32)
    query = Query(torch.randn(8), torch.tensor(1.5))
    features = {"items": torch.randn(6, 8), "bias": torch.randn(6)}
    shapes = {"query": None, "features": {"items": {0: count}}, "mask": None}
    return Ranker(), (query, features), {}, shapes
