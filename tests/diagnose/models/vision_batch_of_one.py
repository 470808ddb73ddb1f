"""An image classifier that is exported, as in its notebook, with one image."""

import torch
from torch.export import Dim


class Classifier(torch.nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.features = torch.nn.Sequential(
            torch.nn.Conv2d(3, 6, 3, padding=1), torch.nn.ReLU(), torch.nn.AdaptiveAvgPool2d(2)
        )
        self.classify = torch.nn.Linear(24, classes)

    def forward(self, image):
        features = self.features(image)
        return self.classify(features.flatten(1)).squeeze()


def make():
    batch = Dim("batch", min=1, max=16)
    return Classifier().eval(), (torch.randn(1, 3, 10, 11),), {}, {"image": {0: batch}}
