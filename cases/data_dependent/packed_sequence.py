"""
title: Packed sequence into an LSTM
description: >
  pack_padded_sequence reads the lengths as data to lay the steps out one after another, and the
  number of rows of the packed tensor depends on them. Running the padded batch and masking the
  output does the same for an LSTM that goes forward only.
tags: [torch.recurrent, torch.data-dependent-shape]
requires: [values]
references: [pytorch#171978]
rewrites: [data_dependent/packed_sequence_masked]
pitfalls: [modules/packed_sequence_as_input]
errors: [E0007, E0008, E0305, E1205]
"""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(3, 4, batch_first=True)

    def forward(self, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        y, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=5)
        return y


def lengths(of_rows):
    return torch.tensor(of_rows, device="cpu")  # where packing wants them on every device


def inputs():
    return torch.randn(2, 5, 3), lengths([5, 3])


def accepts():
    yield torch.randn(2, 5, 3), lengths([2, 4])
    yield torch.randn(2, 5, 3), lengths([1, 1])


def rejects():
    yield torch.randn(2, 5, 3), lengths([5, 0])
