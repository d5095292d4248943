"""The texture network: two small convolutional towers, one for each view, and what each says alone."""
import torch
from torch import nn

SIDE = 112
NEAR = (32, 64, 96)
WIDE = (24, 48, 64)


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
        self.drop = nn.Dropout(0.2)
        self.near_head = nn.Linear(2 * c, 1)
        self.wide_head = nn.Linear(2 * f, 1)
        self.head = nn.Linear(2 * (c + f), 1)

    @staticmethod
    def pooled(x):
        # The mean for what is everywhere, the maximum for a hole, an edge or a glare.
        return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)

    def logits(self, views):
        """From (batch, 6, side, side) bytes as floats, near and wide behind each other: both, near alone, wide alone."""
        x = views / 127.5 - 1
        near, wide = self.pooled(self.near(x[:, :3])), self.pooled(self.wide(x[:, 3:]))
        near, wide = self.drop(near), self.drop(wide)
        return torch.cat([self.head(torch.cat([near, wide], 1)), self.near_head(near), self.wide_head(wide)], 1)

    def forward(self, views):
        """The score: 0 attack, 1 bona fide."""
        return torch.sigmoid(self.logits(views)[:, :1])
