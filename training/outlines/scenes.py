"""Scenes for training the document finder, rendered in batches on any device of torch: documents in front of backgrounds,
seen by a pinhole camera, with shadows, glare, fingers, blur and noise; and for each output of the network, whether it is
inside a document and how near to its edge."""
import math

import numpy as np
import torch
from torch.nn import functional

from network import EMPTY, SIDE

FINE = 2 * SIDE  # rendered, then reduced
SIZES = {86: (85.60, 53.98), 105: (105.0, 74.0), 125: (125.0, 88.0)}  # ISO/IEC 7810, mm
SHAPES = (1, 0.75), (1, 0.5625), (0.75, 1), (0.5625, 1), (1, 1), (1, 0.8), (0.7, 1)  # of pictures
SHAPE_SHARES = 3.0, 2, 3, 2, 2, 1, 1
SPECIMENS = 0.2  # share of the documents
BLUR = 0.85  # deviation of the edge in the target, cells of the output


def wide(values, dimensions=2):
    return values.reshape(*values.shape, *[1] * dimensions)


class Scenes:
    def __init__(self, bank, device, seed=11):
        self.device = torch.device(device)
        self.generator = torch.Generator(self.device)
        self.generator.manual_seed(seed)

        def pictures(*names):
            found = torch.cat([torch.from_numpy(bank[name]) for name in names])
            return found.permute(0, 3, 1, 2).contiguous().to(self.device)

        documents = pictures("documents", "specimens")
        # Also reduced by 2 and by 4, against aliasing.
        self.documents = [documents] + [
            torch.cat([functional.avg_pool2d(part.float(), factor).round().byte() for part in documents.split(64)])
            for factor in (2, 4)]
        self.sizes = torch.tensor(
            [SIZES[int(width)] for width in np.concatenate([bank["widths"], bank["specimen_widths"]])], device=self.device)
        drawn, specimens = len(bank["widths"]), len(bank["specimen_widths"])
        self.shares = torch.tensor(
            [(1 - SPECIMENS) / drawn] * drawn + [SPECIMENS / specimens] * specimens, device=self.device)
        self.backgrounds = [pictures("drawn"), pictures("photos"), pictures("faces")]
        self.x, self.y = self.grid(FINE, 1)
        self.cell_x, self.cell_y = self.grid(SIDE // 2, 4)

    def grid(self, count, step):
        """The middles of pixels or cells, in rendered pixels."""
        places = (torch.arange(count, device=self.device) + 0.5) * step
        y, x = torch.meshgrid(places, places, indexing="ij")
        return x[None], y[None]

    def uniform(self, count, low=0.0, high=1.0):
        return torch.rand(count, device=self.device, generator=self.generator) * (high - low) + low

    def normal(self, *shape):
        return torch.randn(*shape, device=self.device, generator=self.generator)

    def chance(self, count, share):
        return self.uniform(count) < share

    def integers(self, most, count):
        return torch.randint(most, (count,), device=self.device, generator=self.generator)

    def chosen(self, shares, count):
        shares = torch.as_tensor(shares, device=self.device)
        return torch.multinomial(shares, count, True, generator=self.generator)

    def corners(self, picture, size, room, tilt, turn, middle):
        """As Tests/documents/make_scenes: a document turned in its plane, tilted about any axis, and moved until it spans
        its share of the picture, around its place."""
        count = len(size)
        focal = torch.exp(self.uniform(count, math.log(0.6), math.log(1.4))) * picture.amax(1)
        axis = self.uniform(count, 0, 2 * math.pi)
        x, y, c, s = axis.cos(), axis.sin(), tilt.cos(), tilt.sin()
        tilted = torch.stack([
            c + x * x * (1 - c), x * y * (1 - c), y * s, x * y * (1 - c), c + y * y * (1 - c), -x * s, -y * s, x * s, c],
            -1).view(count, 3, 3)
        c, s, zero = turn.cos(), turn.sin(), torch.zeros_like(turn)
        turned = torch.stack([c, -s, zero, s, c, zero, zero, zero, zero + 1], -1).view(count, 3, 3)
        flat = torch.tensor([(-0.5, -0.5, 0), (0.5, -0.5, 0), (0.5, 0.5, 0), (-0.5, 0.5, 0)], device=self.device)
        solid = flat * torch.cat([size, zero[:, None]], 1)[:, None] @ turned.transpose(1, 2) @ tilted.transpose(1, 2)
        place = torch.stack([zero, zero, 3 * size[:, 0]], 1)
        for _ in range(15):
            at = solid + place[:, None]
            seen = at[..., :2] / at[..., 2:].clamp(min=1) * wide(focal) + picture[:, None] / 2
            low, high = seen.amin(1), seen.amax(1)
            place[:, 2] *= (((high - low) / picture).amax(1) / room).clamp(0.5, 2)
            place[:, :2] += (middle - (low + high) / 2) * place[:, 2:] / focal[:, None]
        return seen

    def homography(self, corners):
        """From rendered pixels to the document's unit square."""
        corners = corners.double()
        square = torch.tensor([(0, 0), (1, 0), (1, 1), (0, 1)], device=self.device, dtype=torch.double)
        (x, y), (u, v) = corners.unbind(-1), square.expand(len(corners), 4, 2).unbind(-1)
        zero, one = torch.zeros_like(x), torch.ones_like(x)
        left = torch.cat([
            torch.stack([x, y, one, zero, zero, zero, -u * x, -u * y], -1),
            torch.stack([zero, zero, zero, x, y, one, -v * x, -v * y], -1)], 1)
        found = torch.linalg.solve(left, torch.cat([u, v], 1))
        return torch.cat([found, one[:, :1]], 1).view(-1, 3, 3).float()

    def mapped(self, h, x, y):
        """The places of pixels on the document, and whether the camera sees them there."""
        h = wide(h)
        scale = h[:, 2, 0] * x + h[:, 2, 1] * y + h[:, 2, 2]
        safe = torch.where(scale.abs() < 1e-6, 1e-6, scale)
        return (
            (h[:, 0, 0] * x + h[:, 0, 1] * y + h[:, 0, 2]) / safe, (h[:, 1, 0] * x + h[:, 1, 1] * y + h[:, 1, 2]) / safe,
            scale > 0)

    def distance(self, corners, x, y):
        """From the outline, in rendered pixels, and whether a place is inside."""
        along = corners.roll(-1, 1) - corners
        length = along.norm(dim=2, keepdim=True).clamp(min=1e-3)
        along = wide(along / length)
        px, py = x[:, None] - wide(corners[..., 0]), y[:, None] - wide(corners[..., 1])
        across = along[:, :, 0] * py - along[:, :, 1] * px
        position = along[:, :, 0] * px + along[:, :, 1] * py
        beyond = torch.maximum(-position, position - length[..., None]).clamp(min=0)
        return (across**2 + beyond**2).sqrt().amin(1), (across > 0).all(1)

    def toned(self, pictures, strength):
        count = len(pictures)
        gain = self.normal(count, 3, 1, 1) * 0.34 * strength + self.normal(count, 1, 1, 1) * strength
        gamma = torch.exp(self.normal(count, 1, 1, 1) * 0.25)
        return ((pictures.clamp(0, 255) / 255 + 1e-4) ** gamma * gain.exp().clamp(0.25, 1.9) * 255).clamp(0, 255)

    def blurred(self, pictures, deviation):
        """By a Gaussian of each picture's own deviation, in some larger along one axis, as by motion."""
        count = len(pictures)
        stretched = deviation * torch.where(self.chance(count, 0.12), self.uniform(count, 1, 3.5), 1)
        steps = torch.arange(-8, 9, device=self.device)

        def kernel(deviation):
            weights = torch.exp(-(steps**2) / (2 * deviation[:, None] ** 2))
            return (weights / weights.sum(1, keepdim=True)).repeat_interleave(3, 0)

        planes = functional.pad(pictures.reshape(1, count * 3, FINE, FINE), (8, 8, 8, 8), mode="reflect")
        planes = functional.conv2d(planes, kernel(deviation)[:, None, None, :], groups=count * 3)
        planes = functional.conv2d(planes, kernel(stretched)[:, None, :, None], groups=count * 3)
        return planes.view(count, 3, FINE, FINE)

    def background(self, count, picture):
        kind = self.chosen([0.5, 0.27, 0.23], count)
        share, angle = self.uniform(count, 0.5, 1), self.uniform(count, -0.35, 0.35) * (kind == 0)
        mirror = torch.where(self.chance(count, 0.5), -1.0, 1.0)
        u = (self.x / wide(picture[:, 0]) * 2 - 1) * wide(share * mirror)
        v = (self.y / wide(picture[:, 1]) * 2 - 1) * wide(share)
        left, top = (wide((1 - share) * self.uniform(count, -1, 1)) for _ in range(2))
        c, s = wide(angle.cos()), wide(angle.sin())
        places = torch.stack([u * c - v * s + left, u * s + v * c + top], -1)
        out = torch.empty(count, 3, FINE, FINE, device=self.device)
        for number, pictures in enumerate(self.backgrounds):
            chosen = (kind == number).nonzero()[:, 0]
            if len(chosen):
                found = pictures[self.integers(len(pictures), len(chosen))].float()
                out[chosen] = functional.grid_sample(found, places[chosen], padding_mode="reflection", align_corners=False)
        # A scanner's or a table's plain ground.
        tone = wide(self.uniform(count * 3).view(count, 3)) * 255
        tone = torch.where(wide(self.chance(count, 0.6), 3), tone[:, :1], tone)
        uneven = functional.interpolate(self.normal(count, 3, 8, 8), (FINE, FINE), mode="bicubic")
        out = torch.where(wide(self.chance(count, 0.08), 3), tone + 6 * wide(self.uniform(count), 3) * uneven, out)
        return self.toned(out, 0.35)

    def place(self, picture, size, is_cut, is_tight, share):
        """Corners of documents: some cut off by the picture's edge, some straight and filling it, as in scans."""
        count, quarter = len(size), math.pi / 2
        turn = self.integers(4, count) * quarter * self.chance(count, 0.6)
        turn = turn + torch.where(self.chance(count, 0.75), self.uniform(count, -0.3, 0.3), self.uniform(count, -3.2, 3.2))
        turn = torch.where(is_tight, self.integers(4, count) * quarter + self.normal(count) * 0.01, turn)
        c, s = turn.cos().abs(), turn.sin().abs()
        extent = torch.stack([size[:, 0] * c + size[:, 1] * s, size[:, 0] * s + size[:, 1] * c], 1)
        room = torch.where(is_tight, self.uniform(count, 0.75, 0.985), self.uniform(count, 0.3, 0.96) * share)
        room = torch.where(is_cut, self.uniform(count, 0.8, 1.35), room)
        extent = extent * (room * (picture / extent).amin(1))[:, None]
        reach = torch.where(is_cut[:, None], 0.35 * extent, (picture - extent).clamp(min=0) / 2 * 0.95)
        middle = picture / 2 + torch.stack([self.uniform(count, -1, 1), self.uniform(count, -1, 1)], 1) * reach
        tilt = torch.where(is_tight, self.uniform(count, 0, 0.02), self.uniform(count, 0, 0.62))
        return self.corners(picture, size, (extent / picture).amax(1), tilt, turn, middle)

    def paste(self, out, corners, pick):
        """Draws documents with their shadows; returns the maps from pixels to them."""
        count, size = len(corners), self.sizes[pick]
        h = self.homography(corners)
        u, v, is_seen = self.mapped(h, self.x, self.y)
        # The rounded corners of ID-1 (ISO/IEC 7810: 2.88 to 3.48 mm), and of some booklets.
        radius = wide(torch.where(
            size[:, 0] < 90, self.uniform(count, 2.9, 3.5), self.uniform(count, 0, 3.5) * self.chance(count, 0.6)))
        across, down = (u - 0.5).abs() * wide(size[:, 0]), (v - 0.5).abs() * wide(size[:, 1])
        half_across, half_down = wide(size[:, 0] / 2), wide(size[:, 1] / 2)
        round_x, round_y = (across - half_across + radius).clamp(min=0), (down - half_down + radius).clamp(min=0)
        mask = (across < half_across) & (down < half_down) & (torch.hypot(round_x, round_y) <= radius + 1e-4) & is_seen
        far, is_inside = self.distance(corners + self.normal(count, 1, 2) * 5, self.x, self.y)
        dark = wide(self.uniform(count, 0.1, 0.6) * self.chance(count, 0.5))
        shadow = torch.where(is_inside, 1, torch.exp(-far / wide(self.uniform(count, 2, 14))))
        out = out * (1 - dark * shadow)[:, None]
        # From the reduction whose pixels are about as large as the rendered ones.
        scale = (corners - corners.roll(-1, 1)).norm(dim=2).amax(1) / self.documents[0].shape[3]
        level = torch.where(scale > 0.7, 0, torch.where(scale > 0.35, 1, 2))
        places = torch.stack([u, v], -1).clamp(-0.2, 1.2) * 2 - 1
        print_ = torch.empty_like(out)
        for number, documents in enumerate(self.documents):
            chosen = (level == number).nonzero()[:, 0]
            if len(chosen):
                print_[chosen] = functional.grid_sample(
                    documents[pick[chosen]].float(), places[chosen], padding_mode="border", align_corners=False)
        other = self.chance(count, 0.12).nonzero()[:, 0]  # any photo as a document's print
        if len(other):
            photos = self.backgrounds[1]
            print_[other] = functional.grid_sample(
                photos[self.integers(len(photos), len(other))].float(), places[other] * 0.6, padding_mode="reflection",
                align_corners=False)
        at_x, at_y, spread = (wide(self.uniform(count, low, high)) for low, high in ((0, FINE), (0, FINE), (15, 120)))
        spot = torch.exp(-((self.x - at_x) ** 2 + ((self.y - at_y) * wide(self.uniform(count, 0.5, 2))) ** 2) / spread**2)
        glare = spot * wide(self.uniform(count, 40, 220) * self.chance(count, 0.25))
        return torch.where(mask[:, None], self.toned(print_, 0.5) + glare[:, None], out), h

    def held(self, out, corners):
        """A finger over an edge of each document, in the tones of skin."""
        count = len(corners)
        rows, side = torch.arange(count, device=self.device), self.integers(4, count)
        one, other = corners[rows, side], corners[rows, (side + 1) % 4]
        edge = one + (other - one) * self.uniform(count)[:, None]
        inward = functional.normalize(corners.mean(1) - edge, dim=1)
        hundredth = (corners - corners.roll(-1, 1)).norm(dim=2).amax(1) / 100
        tip = edge + inward * (hundredth * self.uniform(count, 0, 16))[:, None]
        turn = self.normal(count) * 0.4
        c, s = turn.cos(), turn.sin()
        away = -torch.stack([inward[:, 0] * c - inward[:, 1] * s, inward[:, 0] * s + inward[:, 1] * c], 1)
        px, py = self.x - wide(tip[:, 0]), self.y - wide(tip[:, 1])
        along = (px * wide(away[:, 0]) + py * wide(away[:, 1])).clamp(min=0)
        far = torch.hypot(px - along * wide(away[:, 0]), py - along * wide(away[:, 1]))
        width = wide(hundredth * self.uniform(count, 5, 10))
        skin = torch.tensor([1, 0.78, 0.66], device=self.device) * (1 + 0.08 * self.normal(count, 3))
        tone = wide(self.uniform(count, 60, 235)[:, None] * skin)
        return torch.where((far < width)[:, None], tone * (1.1 - 0.5 * (far / width) ** 2)[:, None], out)

    @torch.no_grad()
    def batch(self, count):
        """Returns the network's input, the targets (inside, edge), and which cells are in the picture."""
        picture = torch.tensor(SHAPES, device=self.device)[self.chosen(SHAPE_SHARES, count)] * FINE
        out = self.background(count, picture)
        half = SIDE // 2
        inside = torch.zeros(count, half, half, device=self.device, dtype=torch.bool)
        edge = torch.zeros(count, half, half, device=self.device)
        documents = self.chosen([0.22, 0.68, 0.10], count)  # none, one or two
        kind = self.uniform(count)
        first = torch.zeros(count, 4, 2, device=self.device)
        for number in range(2):
            chosen = (documents > number).nonzero()[:, 0]
            pick = self.chosen(self.shares, len(chosen)) if len(chosen) else chosen
            if len(chosen):
                corners = self.place(
                    picture[chosen], self.sizes[pick], kind[chosen] < 0.15, kind[chosen] > 0.9, 0.7 if number else 1)
            if number and len(chosen):  # beside the first one
                other = first[chosen]
                is_apart = ((corners.amin(1) > other.amax(1)) | (corners.amax(1) < other.amin(1))).any(1)
                chosen, corners, pick = chosen[is_apart], corners[is_apart], pick[is_apart]
            if not len(chosen):
                continue
            if number == 0:
                first[chosen] = corners
            out[chosen], h = self.paste(out[chosen], corners, pick)
            u, v, is_seen = self.mapped(h, self.cell_x, self.cell_y)
            inside[chosen] |= (u > 0) & (u < 1) & (v > 0) & (v < 1) & is_seen
            far, _ = self.distance(corners, self.cell_x, self.cell_y)
            edge[chosen] = torch.maximum(edge[chosen], torch.exp(-((far / 4) ** 2) / (2 * BLUR**2)))
        for _ in range(3):
            chosen = (self.chance(count, 0.15) & (documents > 0)).nonzero()[:, 0]
            if len(chosen):
                out[chosen] = self.held(out[chosen], first[chosen])
        angle, slope = self.uniform(count, 0, 2 * math.pi), self.uniform(count, 0, 0.7) * self.chance(count, 0.5)
        light = wide(slope * angle.cos()) * (self.x / FINE - 0.5) + wide(slope * angle.sin()) * (self.y / FINE - 0.5)
        deviation = torch.exp(self.uniform(count, math.log(0.5), math.log(3.2))) * self.chance(count, 0.45)
        out = functional.avg_pool2d(self.blurred(out * (1 + light)[:, None], deviation.clamp(min=0.05)), 2)
        coarse = self.chance(count, 0.12).nonzero()[:, 0]
        if len(coarse):
            out[coarse] = functional.interpolate(functional.avg_pool2d(out[coarse], 2), scale_factor=2, mode="bilinear")
        out = out + self.normal(*out.shape) * wide(self.uniform(count, 0, 7) * self.chance(count, 0.5), 3)
        out = out * wide(self.uniform(count, 0.55, 1.25), 3) + wide(self.uniform(count, -12, 20), 3)
        out = torch.where(wide(self.chance(count, 0.05), 3), out.mean(1, keepdim=True), out).clamp(0, 255).round()

        def is_in(x, y):
            return ((x < wide(picture[:, 0])) & (y < wide(picture[:, 1])))[:, None]

        out = torch.where(is_in(self.x[:, ::2, ::2], self.y[:, ::2, ::2]), out, EMPTY)
        return out, torch.stack([inside.float(), edge], 1), is_in(self.cell_x, self.cell_y).float()
