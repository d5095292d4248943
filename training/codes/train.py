#!/usr/bin/env python3
"""Trains the code locator, and writes models/code-locator.bin with its hash in models/manifest.json.

    train.py --codes FOLDER... --none FOLDER... [--judge]

--codes are folders made by simulate.py; --none are folders of pictures without codes, including subfolders. Trained are
first the network that classifies blocks; then, on regions from its output, the one that classifies regions; then, on
the regions that this one considers possible, the one that classifies their pixels. A fifth of the pictures are held out
and measure the accuracy. --judge trains only the last one.
"""
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageDraw, ImageOps

sys.path.append(str(Path(__file__).resolve().parents[1]))
from shared import MODELS, built, command, pin

MODEL = MODELS / "code-locator.bin"
MAGIC = b"FVCODES1"
BLOCK, REGION = 10, 20  # features of each
INPUTS, HIDDEN = {"block": BLOCK, "region": REGION}, {"block": 14, "region": 16}
EACH = {"code": 30, "none": 90}  # blocks per picture, of each kind
LONGEST = 1280  # pixels of a picture without codes
VIEW = 48  # pixels per side of a view
POSSIBLE = 0.02  # score of the second network below which the third is not run, as in codelocator.cpp


def dumped(program, what, made):
    """The pictures with the program's output, in batches: the features of all blocks do not fit into memory."""
    for start in range(0, len(made), 200):
        some = made[start : start + 200]
        out = subprocess.run([program, MODEL, what, *(str(picture[0]) for picture in some)], check=True, capture_output=True).stdout
        values, at = np.frombuffer(out, np.float32), 0

        def take(count):
            nonlocal at
            at += count
            return values[at - count : at]

        for index, picture in enumerate(some, start):
            yield index, *picture, take


def pictures(codes, none, folder):
    """(grey file, corners of the code or None, its row) for each picture."""
    out = []
    for source in codes:
        for row in csv.DictReader(open(source / "labels.csv")):
            out.append((source / row["path"], np.array(row["corners"].split(), float).reshape(4, 2), row))
    for source in none:
        out += [(path, None, None) for path in sorted(source.glob("**/*")) if path.suffix in (".jpg", ".jpeg", ".png")]
    made = []
    for i, (path, corners, row) in enumerate(out):
        photo = Image.open(path).convert("L")
        if corners is None and max(photo.size) > LONGEST:
            photo.thumbnail((LONGEST, LONGEST))
        elif corners is None and max(photo.size) < 320 and i % 3 == 0:
            photo = photo.resize((photo.width * 2, photo.height * 2), Image.BICUBIC)
        if i % 8 == 7:  # like codes printed light on dark
            photo = ImageOps.invert(photo)
        grey = folder / f"{i}.pgm"
        photo.save(grey)
        made.append((grey, corners, row))
    return made


def mask(corners, size):
    picture = Image.new("L", size)
    ImageDraw.Draw(picture).polygon([tuple(point) for point in corners], fill=1)
    return np.array(picture, bool)


def grown(values, n):
    """Dilates a mask by n cells; erodes it if n is negative."""
    if n < 0:
        return ~grown(~values, -n)
    padded = np.pad(values, n)
    rows, columns = values.shape
    return np.any([padded[y : y + rows, x : x + columns] for y in range(2 * n + 1) for x in range(2 * n + 1)], 0)


def block_samples(program, made, rng):
    samples = []
    for index, _, corners, row, take in dumped(program, "blocks", made):
        for level in range(2):
            rows, columns, side = take(3).astype(int)
            features = take(rows * columns * BLOCK).reshape(rows, columns, BLOCK)
            near = inside = np.zeros((rows, columns), bool)
            if corners is not None:
                whole = mask(corners / side, (int(columns), int(rows)))
                inside, near = grown(whole, -1), grown(whole, 3)
            # If it is too near, a code's squares exceed the block size except at the smaller scale.
            if corners is not None and not (row["fault"] == "too-near" and level == 0):
                samples += pick(features[inside], EACH["code"], 1, index, rng)
            samples += pick(features[~near], EACH["code" if corners is not None else "none"], 0, index, rng)
    return samples


def pick(rows, count, answer, index, rng):
    return [(row, answer, index) for row in rows[rng.integers(0, len(rows), count)]] if len(rows) else []


def region_samples(program, made):
    samples, found = [], []
    for index, path, corners, _, take in dumped(program, "regions", made):
        size = Image.open(path).size
        scale = max(size) / 160
        small = (int(size[0] / scale) + 1, int(size[1] / scale) + 1)
        best = 0.0
        for _ in range(int(take(1)[0])):
            region, features = take(8).reshape(4, 2), take(REGION).copy()
            take(1)  # its score, by networks that are being retrained
            views = take(2 * VIEW * VIEW // 4).view(np.uint8).reshape(2, VIEW, VIEW).copy()
            shared = 0.0
            if corners is not None:
                one, other = mask(region / scale, small), mask(corners / scale, small)
                shared = (one & other).sum() / max(1, (one | other).sum())
                best = max(best, shared)
                if 0.05 < shared <= 0.3:
                    continue  # a part of a code: neither a positive nor a negative example
            samples.append((features, shared > 0.3, index, views))
        if corners is not None:
            found.append(best > 0.3)
    print(f"regions about codes: {np.mean(found):.3f} of {len(found)}")
    return samples


def taught(samples, hidden, rng, positive=1.0, steps=4000, batch=1024, rate=5e-3, decay=1e-3):
    """A network with one hidden layer, trained with Adam on the logistic loss; and its accuracy on held-out samples."""
    x = np.array([s[0] for s in samples], np.float64)
    y = np.array([s[1] for s in samples], np.float64)
    aside = np.array([s[2] for s in samples]) % 5 == 0
    mean, deviation = x[~aside].mean(0), x[~aside].std(0) + 1e-6
    z, t = torch.from_numpy((x[~aside] - mean) / deviation), torch.from_numpy(y[~aside])
    initial = (rng.normal(0, (2 / x.shape[1]) ** 0.5, (x.shape[1], hidden)), np.zeros(hidden),
               rng.normal(0, (1 / hidden) ** 0.5, hidden), np.zeros(1))
    weights = [torch.tensor(values, requires_grad=True) for values in initial]
    optimizer = torch.optim.Adam([{"params": weights[::2], "weight_decay": decay}, {"params": weights[1::2]}], rate)
    for step in range(1, steps + 1):
        chosen = rng.integers(0, len(z), batch)
        found = torch.relu(z[chosen] @ weights[0] + weights[1]) @ weights[2] + weights[3]
        loss = torch.nn.functional.binary_cross_entropy_with_logits(
            found, t[chosen], torch.where(t[chosen] > 0, positive, 1.0).double())
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, 2 * (steps - step) / steps + 0.02)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    weights = [values.detach().numpy() for values in weights]
    network = (weights[0] / deviation[:, None], weights[1] - (mean / deviation) @ weights[0], weights[2], weights[3][0])
    told(answered(network, x), y, aside)
    return network


def answered(network, x):
    return 1 / (1 + np.exp(-(np.maximum(x @ network[0] + network[1], 0) @ network[2] + network[3])))


def told(answers, y, aside):
    for name, part in (("taught", ~aside), ("aside", aside)):
        for limit in (0.5, 0.6, 0.8):
            hits, false = answers[part & (y > 0)] > limit, answers[part & (y == 0)] > limit
            print(f"{name}, {limit}: {hits.mean():.4f} of {len(hits)} found, {false.mean():.4f} of {len(false)} false", flush=True)


class Judge(torch.nn.Module):
    """The third network: four convolutions of each view, their means, and the features of the second one."""

    CHANNELS = [1, 8, 16, 24, 32]

    def __init__(self, mean, deviation):
        super().__init__()
        self.convolutions = torch.nn.ModuleList(
            [torch.nn.Conv2d(a, b, 3, 2, 1) for a, b in zip(self.CHANNELS, self.CHANNELS[1:])])
        self.inner = torch.nn.Linear(2 * self.CHANNELS[-1] + REGION, 24)
        self.outer = torch.nn.Linear(24, 1)
        self.mean, self.deviation = mean, deviation

    def forward(self, views, features):
        x = views.reshape(-1, 1, VIEW, VIEW)
        x = (x - x.mean((2, 3), keepdim=True)) / (x.std((2, 3), keepdim=True, correction=0) + 4)
        for convolution in self.convolutions:
            x = torch.relu(convolution(x))
        x = x.mean((2, 3)).reshape(len(views), -1)
        x = torch.cat([x, (features - self.mean) / self.deviation], 1)
        return self.outer(torch.relu(self.inner(x)))[:, 0]


def trained_judge(samples, epochs=40, batch=256):
    """Trains with rotated and mirrored views, then quantises the convolutions to bytes."""
    torch.manual_seed(1)
    views = torch.from_numpy(np.stack([s[3] for s in samples]))
    features = torch.from_numpy(np.stack([s[0] for s in samples]))
    y = torch.tensor([float(s[1]) for s in samples])
    aside = torch.tensor([s[2] for s in samples]) % 5 == 0
    network = Judge(features[~aside].mean(0), features[~aside].std(0) + 1e-6)
    optimizer = torch.optim.AdamW(network.parameters(), lr=3e-3, weight_decay=1e-2)
    rows = torch.nonzero(~aside)[:, 0]
    steps = epochs * (len(rows) // batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=steps)
    for epoch in range(epochs):
        order, total = rows[torch.randperm(len(rows))], 0.0
        for at in range(0, len(order) - batch + 1, batch):
            chosen = order[at : at + batch]
            some = views[chosen].float()
            some = some + torch.randn(1) * 3 * torch.randn_like(some)
            some = torch.rot90(some, int(torch.randint(4, (1,))), (2, 3))
            if torch.rand(1) < 0.5:
                some = some.flip(3)
            loss = torch.nn.functional.binary_cross_entropy_with_logits(network(some, features[chosen]), y[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
        print(f"epoch {epoch}: {total / max(1, len(order) // batch):.4f}", flush=True)
    out, network = [], network.eval()
    with torch.no_grad():
        for convolution in network.convolutions:
            scale = float(convolution.weight.abs().max() / 127)
            bytes_ = torch.round(convolution.weight / scale)
            convolution.weight.copy_(bytes_ * scale)
            filters = convolution.out_channels
            out.append((bytes_.permute(2, 3, 1, 0).reshape(-1, filters).numpy(), scale, convolution.bias.numpy()))
        answers = torch.cat([torch.sigmoid(network(views[at : at + 1000].float(), features[at : at + 1000]))
                             for at in range(0, len(views), 1000)]).numpy()
        told(answers, y.numpy(), aside.numpy())
        inner, start = network.inner.weight.T.clone(), 2 * Judge.CHANNELS[-1]
        bias = network.inner.bias - (network.mean / network.deviation) @ inner[start:]
        inner[start:] /= network.deviation[:, None]
        dense = tuple(value.numpy() for value in (inner, bias, network.outer.weight[0])) + (float(network.outer.bias),)
    return out, dense


def dense(network):
    """The bytes of a network with one hidden layer. Dead units have weights below the range of float."""
    values = np.concatenate([np.ravel(part) for part in network])
    return np.where(np.abs(values) > 1e-30, values, 0).astype("<f4").tobytes()


def write(networks, convolutions):
    """Writes the model in the order of `cvision_code_networks` in codelocator.cpp, and its hash to the manifest."""
    parts = [MAGIC, dense(networks["block"]), dense(networks["region"])]
    for weights, scale, biases in convolutions:
        parts += [weights.astype(np.int8).tobytes(), np.array([scale, *biases], "<f4").tobytes()]
    MODEL.write_bytes(b"".join([*parts, dense(networks["judge"])]))
    pin(MODEL)


def shipped():
    """The first two networks of the model."""
    values = np.frombuffer(MODEL.read_bytes(), "<f4", offset=len(MAGIC), count=sum((INPUTS[name] + 2) * HIDDEN[name] + 1 for name in HIDDEN))
    networks = {}
    for name, hidden in HIDDEN.items():
        inputs = INPUTS[name]
        weights, biases, outer, last, values = np.split(values, np.cumsum([inputs * hidden, hidden, hidden, 1]))
        networks[name] = (weights.reshape(inputs, hidden).astype(float), biases, outer, last[0])
    return networks


def blank(inputs, hidden):
    return np.zeros((inputs, hidden)), np.zeros(hidden), np.zeros(hidden), 0.0


def main(*, codes: list[Path], none: list[Path], judge: bool = False):
    rng = np.random.default_rng(1)
    networks = shipped() if judge else {name: blank(INPUTS[name], HIDDEN[name]) for name in HIDDEN}
    networks["judge"] = blank(2 * Judge.CHANNELS[-1] + REGION, 24)
    convolutions = [(np.zeros((9 * a, b)), 0.0, np.zeros(b)) for a, b in zip(Judge.CHANNELS, Judge.CHANNELS[1:])]
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        program = built(Path(__file__).with_name("dump.cpp"), ["codelocator", "codemeasures"], folder)
        made = pictures(codes, none, folder)
        print(f"{len(made)} pictures")
        if not judge:
            networks["block"] = taught(block_samples(program, made, rng), HIDDEN["block"], rng, positive=3)
        write(networks, convolutions)  # the regions depend on the first network
        samples = region_samples(program, made)
        if not judge:
            networks["region"] = taught(samples, HIDDEN["region"], rng, steps=8000)
        possible = answered(networks["region"], np.array([s[0] for s in samples], np.float64)) > POSSIBLE
        samples = [sample for sample, is_possible in zip(samples, possible) if is_possible]
        convolutions, networks["judge"] = trained_judge(samples)
        write(networks, convolutions)


if __name__ == "__main__":
    command(main, __doc__)
