"""
title: Padded batch into an LSTM, output masked
description: >
  The LSTM runs over the padding too, which an LSTM going forward only does not let influence
  earlier steps, and steps beyond each length are set to zero afterwards.
tags: [torch.recurrent]
references: [pytorch#171978]
errors: [E0613]
"""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(3, 4, batch_first=True)

    def forward(self, x, lengths):
        y, _ = self.lstm(x)
        inside = torch.arange(5) < lengths[:, None]
        return torch.where(inside[:, :, None], y, 0.0)


def inputs():
    return torch.randn(2, 5, 3), torch.tensor([5, 3])


def accepts():
    yield torch.randn(2, 5, 3), torch.tensor([2, 4])
    yield torch.randn(2, 5, 3), torch.tensor([1, 1])
