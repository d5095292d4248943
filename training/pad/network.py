"""The texture network: three small convolutional towers, one for each view, and what each says alone."""
import torch
from torch import nn

SIDE = 112
# The channels of each view, and how far it reaches, in near views: one over the zooms in TextureNetwork.swift.
VIEWS = ((slice(0, 3), 1.0), (slice(3, 6), 1 / 0.45), (slice(6, 9), 0.5))
NEAR = (32, 64, 96)
WIDE = (24, 48, 64)
FINE = (24, 32, 64)
TEACHERS = 6  # numbers that the networks of teacher.py give for a face


def convolution(inputs, outputs, stride=1, active=True, kernel=3):
    layers = [nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs)]
    return nn.Sequential(*layers, nn.ReLU(inplace=True)) if active else nn.Sequential(*layers)


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.branch = nn.Sequential(convolution(channels, channels), convolution(channels, channels, active=False))

    def forward(self, x):
        return torch.relu(x + self.branch(x))


class Texture(nn.Module):
    def __init__(self):
        super().__init__()
        a, b, c = NEAR
        # Filters of 7 pixels tell dots and stripes from skin; a first map of full size would cost most of the time.
        self.near = nn.Sequential(
            convolution(3, a, 4, kernel=7), convolution(a, a), convolution(a, b, 2), Residual(b),
            convolution(b, c, 2), convolution(c, c))
        d, e, f = WIDE
        self.wide = nn.Sequential(
            convolution(3, d, 4, kernel=5), convolution(d, e, 2), convolution(e, f, 2), convolution(f, f))
        g, h, i = FINE
        self.fine = nn.Sequential(
            convolution(3, g, 4, kernel=7), convolution(g, h), convolution(h, i, 2), convolution(i, i))
        self.drop = nn.Dropout(0.2)
        self.heads = nn.ModuleList(nn.Linear(2 * n, 1) for n in (c, f, i))
        self.head = nn.Linear(2 * (c + f + i), 1)
        self.teacher = nn.Linear(2 * (c + f + i), TEACHERS)  # for training only

    @staticmethod
    def pooled(x):
        # The mean for what is everywhere, the maximum for a hole, an edge or a glare.
        return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)

    def features(self, views):
        x = views / 127.5 - 1
        towers = (self.near, self.wide, self.fine)
        return [self.drop(self.pooled(tower(x[:, view]))) for tower, (view, _) in zip(towers, VIEWS)]

    def logits(self, views):
        """From (batch, 9, side, side) bytes as floats: all views together, then each alone; and what teachers say."""
        found = self.features(views)
        together = torch.cat(found, 1)
        alone = [head(one) for head, one in zip(self.heads, found)]
        return torch.cat([self.head(together), *alone], 1), self.teacher(together)

    def forward(self, views):
        """The score: 0 attack, 1 bona fide."""
        return torch.sigmoid(self.head(torch.cat(self.features(views), 1)))
