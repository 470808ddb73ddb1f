"""
title: pad_sequence and pad_packed_sequence with a value other than zero
description: >
  Labels are padded with a class that no row has, and states with minus infinity so that the
  largest over time is one of the sequence's own. With zeros in their place both are wrong.
tags: [torch.recurrent, torch.data-dependent-shape]
references: [pytorch#48460]
requires: [values]
"""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(4, 3, batch_first=True)

    def forward(self, x, lengths, labels):
        targets = pad_sequence(labels, batch_first=True, padding_value=-1.0)
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.gru(packed)[0], True, padding_value=-torch.inf)
        return targets, targets.amax(0), states.amax(1)


def inputs():
    labels = [-torch.rand(2) - 2, -torch.rand(4) - 2, -torch.rand(3) - 2]
    lengths = torch.tensor([2, 5, 3], device="cpu")  # where packing wants them on every device
    return torch.randn(3, 5, 4), lengths, labels
