"""A decoder layer whose cache is an object: given to the call, filled by it, and given back."""

import torch
from torch.export import Dim


class Cache:
    def __init__(self, keys, values):
        self.keys = keys
        self.values = values

    def extended(self, keys, values):
        return Cache(torch.cat([self.keys, keys], dim=1), torch.cat([self.values, values], dim=1))


class Attention(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.project = torch.nn.Linear(width, 3 * width)
        self.out = torch.nn.Linear(width, width)

    def split(self, x):
        batch, length, width = x.shape
        return x.view(batch, length, self.heads, width // self.heads).transpose(1, 2)

    def forward(self, x, cache):
        query, keys, values = self.project(x).chunk(3, dim=-1)
        cache = cache.extended(keys, values)
        scores = torch.nn.functional.scaled_dot_product_attention(
            self.split(query), self.split(cache.keys), self.split(cache.values)
        )
        return self.out(scores.transpose(1, 2).flatten(2)), cache


class Decoder(torch.nn.Module):
    def __init__(self, width=16, heads=2):
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.feed = torch.nn.Sequential(
            torch.nn.Linear(width, 4 * width), torch.nn.GELU(), torch.nn.Linear(4 * width, width)
        )

    def forward(self, x, cache):
        attended, cache = self.attention(self.norm(x), cache)
        x = x + attended
        return x + self.feed(self.norm(x)), cache


def make():
    past = Dim("past", min=2, max=64)
    cache = Cache(torch.randn(3, 7, 16), torch.randn(3, 7, 16))
    shapes = {"x": None, "cache": [{1: past}, {1: past}]}
    return Decoder(), (torch.randn(3, 1, 16), cache), {}, shapes
