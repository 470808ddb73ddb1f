"""
title: PackedSequence as an input of forward
description: >
  The caller packs the batch, and forward gets a PackedSequence: a named tuple of data, batch sizes
  and order. The batch sizes are numbers in a tensor that the layer reads.
tags: [torch.recurrent, python.data-structure]
rewrites: [modules/padded_batch_with_lengths]
pitfalls: [data_dependent/packed_sequence]
errors: [E0001, E0002]
"""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.gru = torch.nn.GRU(3, 4)

    def forward(self, packed):
        return pad_packed_sequence(self.gru(packed)[0], total_length=6)[0]


def inputs():
    return (pack_padded_sequence(torch.randn(6, 2, 3), torch.tensor([6, 3], device="cpu")),)


def accepts():
    yield (pack_padded_sequence(torch.randn(6, 2, 3), torch.tensor([5, 4], device="cpu")),)
