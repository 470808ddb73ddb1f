"""A tagger that packs its batch by the lengths of the sentences."""

import torch
from torch.export import Dim
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Tagger(torch.nn.Module):
    def __init__(self, words=50, width=8, tags=5):
        super().__init__()
        self.embed = torch.nn.Embedding(words, width)
        self.lstm = torch.nn.LSTM(width, width, batch_first=True)
        self.tag = torch.nn.Linear(width, tags)

    def forward(self, tokens, lengths):
        packed = pack_padded_sequence(
            self.embed(tokens), lengths, batch_first=True, enforce_sorted=False
        )
        output, _ = self.lstm(packed)
        padded, _ = pad_packed_sequence(output, batch_first=True)
        return self.tag(padded)


def make():
    batch = Dim("batch", min=2, max=16)
    tokens = torch.randint(0, 50, (3, 9))
    return (
        Tagger(),
        (tokens, torch.tensor([9, 4, 6])),
        {},
        {"tokens": {0: batch}, "lengths": {0: batch}},
    )
