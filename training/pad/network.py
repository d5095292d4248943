"""The texture network: four small convolutional towers, one per view, with separate outputs."""
import torch
from torch import nn

# The views as cropped by TextureNetwork.swift: pixels per side, and extent relative to the near view.
VIEWS = ((112, 1.0), (112, 0.5), (80, 0.8 * 2.7 * 0.77), (80, 0.8 * 4 * 0.77))
AROUND = 2  # views at or above this index show the surroundings, as the two teachers see them
NUMBERS = [3 * side * side for side, _ in VIEWS]
NEAR = (32, 64, 96)
FINE = (24, 32, 64)
WIDE = (32, 48, 96, 128)
CLASSES, LIVING = 3, 1  # of each teacher; index of the bona fide one


def convolution(inputs, outputs, stride=1, active=True, kernel=3):
    layers = [nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs)]
    return nn.Sequential(*layers, nn.ReLU(inplace=True)) if active else nn.Sequential(*layers)


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.branch = nn.Sequential(convolution(channels, channels), convolution(channels, channels, active=False))

    def forward(self, x):
        return torch.relu(x + self.branch(x))


def around_tower():
    a, b, c, d = WIDE
    return nn.Sequential(
        convolution(3, a, 2, kernel=5), convolution(a, b, 2), Residual(b), convolution(b, c, 2), Residual(c),
        convolution(c, d, 2), Residual(d))


# Log-odds of the face below which it shows dots or stripes that surroundings must not outweigh, and the weight added
# there: 99 % of 390 bona fide faces in 27 clips and 114 photos are above -4.3, 95 % above -1.3.
CERTAIN = (-3.0, 0.5)


def probability(evidence, weights):
    """Probability of a bona fide presentation from rows of evidence: of the face, and of its surroundings."""
    certain = CERTAIN[1] * torch.relu(CERTAIN[0] - evidence[:, 0])
    return torch.sigmoid(evidence @ weights[:3] + weights[3] - certain)


class Texture(nn.Module):
    def __init__(self):
        super().__init__()
        a, b, c = NEAR
        # Filters of 7 pixels distinguish dots and stripes from skin; a first map at full size would dominate the cost.
        near = nn.Sequential(
            convolution(3, a, 4, kernel=7), convolution(a, a), convolution(a, b, 2), Residual(b),
            convolution(b, c, 2), convolution(c, c))
        d, e, f = FINE
        fine = nn.Sequential(
            convolution(3, d, 4, kernel=7), convolution(d, e), convolution(e, f, 2), convolution(f, f))
        self.towers = nn.ModuleList([near, fine, around_tower(), around_tower()])
        self.drop = nn.Dropout(0.2)  # on the views of the face, because there are few real attacks
        features = [2 * c, 2 * f, 2 * WIDE[-1], 2 * WIDE[-1]]
        self.head = nn.Linear(sum(features[:AROUND]), 1)
        self.heads = nn.ModuleList(nn.Linear(n, 1) for n in features[:AROUND])  # one per view: for training only
        self.teachers = nn.ModuleList(nn.Linear(n, CLASSES) for n in features[AROUND:])
        # Weights that combine the log-odds of the face and of its surroundings: calibrate.py.
        self.register_buffer("weights", torch.tensor([1.0, 1.0, 1.0, 0.0]))

    @staticmethod
    def pooled(x):
        # The mean for textures, the maximum for a hole, an edge or glare.
        return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)

    def face(self, views):
        """Log-odds of bona fide from the face: from both views together, and from each."""
        found = [self.drop(self.pooled(tower(view / 127.5 - 1))) for tower, view in zip(self.towers[:AROUND], views)]
        return torch.cat([self.head(torch.cat(found, 1)), *(head(one) for head, one in zip(self.heads, found))], 1)

    def around(self, views):
        """Predicted outputs of each teacher, (batch, 2, classes), as logits."""
        return torch.stack([
            teacher(self.pooled(tower(view / 127.5 - 1)))
            for teacher, tower, view in zip(self.teachers, self.towers[AROUND:], views)], 1)

    def evidence(self, views):
        """Log-odds of bona fide: from the face, and from its surroundings as predicted for each teacher."""
        said = self.around(views[AROUND:])
        odds = said[:, :, LIVING] - torch.logsumexp(said[:, :, [c for c in range(CLASSES) if c != LIVING]], 2)
        return torch.cat([self.face(views)[:, :1], odds], 1).clamp(-8, 8)

    def forward(self, numbers):
        """Maps (batch, all views' bytes as floats, one after another) to the probability of bona fide."""
        parts = torch.split(numbers, NUMBERS, 1)
        views = [part.reshape(-1, 3, side, side) for part, (side, _) in zip(parts, VIEWS)]
        return probability(self.evidence(views), self.weights)[:, None]
