"""A U-Net whose skips fit only where height and width are multiples of eight."""

import torch
from torch import nn
from torch.export import Dim


class Block(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.conv(x))


class UNet(nn.Module):
    def __init__(self, ch=4):
        super().__init__()
        self.d1, self.d2, self.d3 = Block(1, ch), Block(ch, ch), Block(ch, ch)
        self.mid = Block(ch, ch)
        self.u3, self.u2, self.u1 = Block(2 * ch, ch), Block(2 * ch, ch), Block(2 * ch, ch)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.Upsample(scale_factor=2)
        self.out = nn.Conv2d(ch, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.d2(self.pool(a))
        c = self.d3(self.pool(b))
        y = self.mid(self.pool(c))
        y = self.u3(torch.cat([self.up(y), c], 1))
        y = self.u2(torch.cat([self.up(y), b], 1))
        y = self.u1(torch.cat([self.up(y), a], 1))
        return self.out(y)


def make():
    h, w = Dim("h", min=8, max=64), Dim("w", min=8, max=64)
    return UNet().eval(), (torch.randn(2, 1, 16, 24),), {}, {"x": {2: h, 3: w}}
