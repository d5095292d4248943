"""Trains the classifiers of the zone's font and writes them to Sources/DocumentImaging/Pages/ZoneFontTable.swift.

    train_font.py --zones zones.pickle [--count 1300] [--seed 12]

Generates zones in OCR-B and in other fonts, rectifies their characters as ZoneFont.swift does, and trains one linear
classifier per character. First, fonts are split by family into two halves, and each half is scored by the classifiers of
the other; the classifiers that are written are trained on all. `zones.pickle` caches the zones.
"""
import collections
import math
import os
import pickle
import random
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import torch
from PIL import Image

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[2] / "Tests/documents")]
import glyphs
import pages
from shared import ROOT, command
from text import ALPHABET, SIZES, any_form, any_line, zone

TABLE = ROOT / "Sources/DocumentImaging/Pages/ZoneFontTable.swift"
WIDTH, HEIGHT = 16, 24  # a patch
CAPITAL = 18  # rows of a capital in it
REACH, LINE, BENT = 3, 5, 4  # search ranges: along the line; across it for a line, and for a character
RATIOS = (0.74, 0.83, 0.93, 1.04, 1.165)  # cap height to pitch
# Families by design: fonts of one design are never in both halves. The first column is drawn more often.
HALVES = [
    {"courier": ["Nimbus Mono PS", "TeX Gyre Cursor", "FreeMono"], "dejavu": ["DejaVu Sans Mono", "Hack", "DejaVu Sans"],
     "fira": ["Fira Code"], "mononoki": ["mononoki"], "league": ["League Mono"], "ptsans": ["PT Sans", "PT Sans Caption", "PT Sans Narrow"],
     "roboto": ["Roboto", "Roboto Condensed"], "times": ["Liberation Serif", "Tinos", "Nimbus Roman", "FreeSerif", "TeX Gyre Termes"],
     "andika": ["Andika"], "cabin": ["Cabin"], "robotoslab": ["Roboto Slab"], "quicksand": ["Quicksand"],
     "yanone": ["Yanone Kaffeesatz"], "caladea": ["Caladea"], "biolinum": ["Linux Biolinum O"]},
    {"arial": ["Liberation Sans", "Arimo", "Nimbus Sans", "FreeSans", "TeX Gyre Heros", "TeX Gyre Heros Cn",
               "Nimbus Sans Narrow", "Liberation Sans Narrow"],
     "libmono": ["Liberation Mono", "Cousine"],
     "noto": ["Noto Sans", "Noto Mono", "Noto Sans Mono", "Open Sans", "Open Sans Condensed", "Noto Sans Display"],
     "jetbrains": ["JetBrains Mono"], "ptmono": ["PT Mono"], "libertinemono": ["Linux Libertine Mono O"],
     "inter": ["Inter", "Inter Display"], "lato": ["Lato", "Carlito"], "play": ["Play"], "cantarell": ["Cantarell"],
     "dejavuserif": ["DejaVu Serif"], "gothic": ["URW Gothic", "TeX Gyre Adventor"], "dosis": ["Dosis"],
     "bookman": ["URW Bookman", "TeX Gyre Bonum"], "ptserif": ["PT Serif", "PT Serif Caption"]}]
LIKELY = ["courier", "dejavu", "fira", "mononoki", "league", "arial", "libmono", "noto", "jetbrains", "ptmono", "libertinemono"]
MONOSPACED = ("Mono", "Code", "Cousine", "Hack", "Cursor", "mononoki", "PTM", "LinLibertine_M", "texgyrecursor")
SLANTED = ("Italic", "Oblique", "Thin", "Hairline", "Black", "UltraLight", "ExtraLight")


def fonts():
    """The files of each design that have all characters, relative to glyphs.FOLDER."""
    from fontTools.ttLib import TTFont
    design = {family: name for half in HALVES for name, families in half.items() for family in families}
    found = collections.defaultdict(set)
    for line in subprocess.run(["fc-list", ":", "file", "family", "style"], capture_output=True, text=True).stdout.splitlines():
        path, family, *style = line.split(":")
        family = family.strip().split(",")[0]
        if family not in design or not path.endswith((".ttf", ".otf")) or any(s in "".join(style) for s in SLANTED):
            continue
        if all(ord(c) in TTFont(path, lazy=True).getBestCmap() for c in ALPHABET):
            found[design[family]].add(os.path.relpath(path, glyphs.FOLDER))
    return {name: sorted(files) for name, files in sorted(found.items())}


def drawn(rng, files):
    """A font: its design ("ocrb" for OCR-B) and its file."""
    if rng.random() < 0.45:
        return "ocrb", rng.choice(glyphs.OCR_B)
    name = rng.choice(list(files)) if rng.random() < 0.4 else rng.choice(LIKELY)
    choice = files[name]
    if name in ("dejavu", "noto") and rng.random() < 0.6:
        choice = [file for file in choice if any(word in file for word in MONOSPACED)]
    return name, rng.choice(choice)


def photo(rng, font, capital, hard, write=lambda *_: None):
    """A photo of a page with capitals of so many pixels, the ends of its lines, and their texts."""
    form = any_form(rng)
    length = SIZES[form][1]
    lines = zone(rng, form) if rng.random() < 0.75 else [any_line(rng, length) for _ in range(SIZES[form][0])]
    style = {"font": font, "weight": rng.choice((-2, 0, 0, 2, 4)), "jitter": rng.choice((0, 0, 0.5, 1.5)), "wide": 1,
             "pitch": rng.choice((1.02, 1.02, rng.uniform(0.9, 1.15), rng.uniform(0.8, 1.3)))}
    image, truth, _ = pages.card(rng, lines, form, capital / pages.CAPITAL * rng.uniform(1, 1.3), write=write, style=style)
    scale = capital / truth[0][2]
    width, height = image.size
    size = (int(width * scale * 1.25), int(height * scale * 1.25))
    corners = pages.corners_of(rng, width, height, rng.gauss(0, 0.03), size, rng.choice((0, rng.uniform(0, 0.03), 0.06)) * hard, 1)
    down = scale * width / math.dist(corners[0], corners[1])
    across = down * math.exp(rng.gauss(0, 0.08))  # a page tilted around its longer axis is foreshortened
    corners = [((x - size[0] / 2) * across + size[0] / 2, (y - size[1] / 2) * down + size[1] / 2) for x, y in corners]
    image, truth = pages.photograph(image, truth, corners, size, Image.new("L", size, rng.randint(0, 255)), rng)
    return pages.degrade(image, rng, hard), truth, lines


def found_corners(rng, truth):
    """The corners of the zone, with the errors of a reader."""
    corners = []
    for (left, right, capital), way in ((truth[0], -1), (truth[-1], 1)):
        left, right = np.array(left, float), np.array(right, float)
        along = (right - left) / np.linalg.norm(right - left)
        aside = np.array([-along[1], along[0]])
        for end in (left, right) if way < 0 else (right, left):
            corners.append(end + aside * capital * (0.75 * way * math.exp(rng.gauss(0, 0.08)) + rng.gauss(0, 0.05))
                           + along * capital * rng.gauss(0, 0.08))
    return corners


def template(character):
    """The mean of OCR-B's designs, light on dark, blurred as in a sharp photo."""
    total, scale = 0, CAPITAL / glyphs.CAP
    for path in glyphs.OCR_B:
        glyph = glyphs._glyphs(path, 0, 1)[character]
        space = np.zeros((80, 80), np.float32)
        left, top = max(0, 40 - glyph.shape[1] // 2), 40 - glyphs.ABOVE - glyphs.CAP // 2
        part = glyph[:80 - top, :80 - left]
        space[top:top + part.shape[0], left:left + part.shape[1]] = part
        space = cv2.GaussianBlur(space, (0, 0), 1 / scale)
        matrix = np.float32([[scale, 0, WIDTH / 2 - 40 * scale], [0, scale, HEIGHT / 2 - 40 * scale]])
        total = total + cv2.warpAffine(space, matrix, (WIDTH, HEIGHT))
    return np.round(total / 2 * 63).clip(0, 63)


TEMPLATES = {c: template(c) for c in ALPHABET}


def strip(luma, corners, lines, length, line, across, along):
    """A line with `along` pixels per pitch, `across` in height."""
    c = np.array(corners, np.float64)
    pitch = np.linalg.norm((c[1] - c[0] + c[2] - c[3]) / 2) / length
    capital = pitch * 0.965
    high = (np.linalg.norm(c[3] - c[0]) + np.linalg.norm(c[2] - c[1])) / 2
    part = (0.75 * capital + line * (high - 1.5 * capital) / (lines - 1)) / high
    a, b = c[0] + (c[3] - c[0]) * part, c[1] + (c[2] - c[1]) * part
    aside = np.array([a[1] - b[1], b[0] - a[0]]) / np.linalg.norm(b - a)
    left, right = ((side / (side @ aside)) for side in (c[3] - c[0], c[2] - c[1]))
    t = ((np.arange(int((length + 2) * along)) + 0.5) / along - 1) / length
    rows = int(2.4 * across) + 20
    y = (np.arange(rows) + 0.5 - rows / 2) / across * pitch
    x, y = (a[i] + (b[i] - a[i]) * t[None] + (left[i] + (right[i] - left[i]) * t)[None] * y[:, None] for i in (0, 1))
    scale = 1
    while pitch / across / scale > 1.6:
        luma, scale = cv2.resize(luma, (luma.shape[1] // 2, luma.shape[0] // 2), interpolation=cv2.INTER_AREA), scale * 2
    return cv2.remap(luma, (x / scale - 0.5).astype(np.float32), (y / scale - 0.5).astype(np.float32), cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_REPLICATE)


def correlation(window, character):
    result = cv2.matchTemplate(window, -TEMPLATES[character].astype(np.float32), cv2.TM_CCOEFF_NORMED)
    return np.where(np.isfinite(result), result, 0)


def patches(luma, corners, lines, sure):
    """The normalised patches of a zone's characters, their indices in the alphabet, and their lines."""
    luma, found, sizes = luma.astype(np.float32), [], [(CAPITAL / ratio, CAPITAL / ratio) for ratio in RATIOS]
    for number, text in enumerate(lines):
        length = len(text)
        known = [i for i in range(length) if sure[number][i]]
        some = [i for i in known if text[i] != "<"][::2][:8] + [i for i in known if text[i] == "<"][:2]
        if not some:
            continue

        def fit(across, along):
            image = strip(luma, corners, len(lines), length, number, across, along)
            top = round(image.shape[0] / 2 - HEIGHT / 2) - LINE
            total = 0
            for i in some:
                x = round((i + 1.5) * along - WIDTH / 2)
                window = image[top:top + HEIGHT + 2 * LINE, x - REACH:x + WIDTH + REACH]
                total = total + correlation(window, text[i]).max(axis=1)
            return total.max() / len(some), across, along, top + int(total.argmax()), image

        best = max((fit(*size) for size in sizes), key=lambda t: t[0])
        for across, along in ((1 / 0.9, 1), (0.9, 1), (1, 1 / 0.9), (1, 0.9)):
            best = max(best, fit(best[1] * across, best[2] * along), key=lambda t: t[0])
        _, across, along, top, image = best
        sizes = [(across, along)]  # the other lines have a similar size
        for i in known:
            x = round((i + 1.5) * along - WIDTH / 2)
            start = max(0, top - BENT)
            window = image[start:start + HEIGHT + 2 * BENT, x - REACH:x + WIDTH + REACH]
            if window.shape[0] < HEIGHT:
                continue
            y, x = divmod(int(correlation(window, text[i]).argmax()), 2 * REACH + 1)
            patch = window[y:y + HEIGHT, x:x + WIDTH]
            if patch.std() >= 2:
                found.append((ALPHABET.index(text[i]), (patch - patch.mean()) / patch.std(), number))
    return found


def generated(seed, count):
    rng, files, zones = random.Random(seed), fonts(), []
    # Only the part of a page around its zone.
    usual, pages.CARDS = pages.CARDS, {form: (wide, 27) for form, (wide, _) in pages.CARDS.items()}
    while len(zones) < count:
        design, font = drawn(rng, files)
        capital = math.exp(rng.uniform(math.log(10), math.log(32)))
        image, truth, lines = photo(rng, font, capital, rng.random() ** 1.3)
        found = patches(np.asarray(image), found_corners(rng, truth), lines, [[rng.random() < 0.97 for _ in t] for t in lines])
        if len(found) >= 20:
            zones.append({"design": design, "font": font, "capital": capital, "index": np.array([f[0] for f in found]),
                          "patch": np.stack([f[1] for f in found]).astype(np.float16), "line": np.array([f[2] for f in found])})
        if len(zones) % 100 == 0:
            print(len(zones), "zones", flush=True)
    pages.CARDS = usual
    return zones


def augmented(zones, seed):
    """The zones again, each line with another size, shear and rotation that change along it, half of the zones blurred."""
    rng, result = np.random.default_rng(seed), []
    for z in zones:
        matrix = np.zeros((len(z["index"]), 2, 3), np.float32)
        for line in np.unique(z["line"]):
            k = z["line"] == line
            n = k.sum()
            (wide, high), shear, turn = np.exp(rng.normal(0, 0.06, 2)), rng.normal(0, 0.10), rng.normal(0, 0.03)
            shear = shear + np.linspace(-1, 1, n) * rng.normal(0, 0.08)
            matrix[k, 0] = np.stack([np.full(n, wide), shear * HEIGHT / WIDTH, rng.normal(0, 0.04, n)], 1)
            matrix[k, 1] = np.stack([np.full(n, turn * WIDTH / HEIGHT), np.full(n, high), rng.normal(0, 0.03, n)], 1)
        patch = torch.from_numpy(z["patch"].astype(np.float32))[:, None]
        grid = torch.nn.functional.affine_grid(torch.from_numpy(matrix), patch.shape, align_corners=False)
        patch = torch.nn.functional.grid_sample(patch, grid, "bicubic", "border", align_corners=False)[:, 0].numpy()
        if rng.random() < 0.5:
            blur = rng.uniform(0.4, 1.3)
            patch = np.stack([cv2.GaussianBlur(p, (0, 0), blur) for p in patch])
        patch -= patch.mean((1, 2), keepdims=True)
        patch /= patch.std((1, 2), keepdims=True) + 1e-6
        result.append(dict(z, patch=patch))
    return result


def trained(zones, steps=400, decay=3e-3):
    """The weights and biases by character: logistic regression of characters and of zones, classes and zones balanced."""
    other = torch.tensor([float(z["design"] != "ocrb") for z in zones])
    weight = torch.where(other > 0, 0.5 / other.mean(), 0.5 / (1 - other).mean())
    count = torch.tensor([float(len(z["index"])) for z in zones])
    owner = np.concatenate([np.full(len(z["index"]), i) for i, z in enumerate(zones)])
    index = np.concatenate([z["index"] for z in zones])
    order = [np.where(index == c)[0] for c in range(len(ALPHABET))]
    x = np.concatenate([z["patch"].reshape(len(z["index"]), -1) for z in zones]).astype(np.float32)
    x = [torch.from_numpy(x[o]) for o in order]
    owner = torch.from_numpy(owner[np.concatenate(order)])
    target, share = other[owner], (weight / count / len(zones))[owner]
    w = torch.zeros(len(ALPHABET), WIDTH * HEIGHT, requires_grad=True)
    b = torch.zeros(len(ALPHABET), requires_grad=True)
    optimiser = torch.optim.Adam([w, b], lr=0.01)
    loss = torch.nn.functional.binary_cross_entropy_with_logits
    for step in range(steps):
        optimiser.param_groups[0]["lr"] = 0.01 * (1 - step / steps) + 1e-4
        value = torch.cat([x[c] @ w[c] + b[c] for c in range(len(ALPHABET))])
        mean = torch.zeros(len(zones)).index_add(0, owner, value) / count
        total = (loss(value, target, reduction="none") * share).sum() + (loss(3 * mean, other, reduction="none") * weight).mean()
        total = total + decay * (w ** 2).sum()
        optimiser.zero_grad()
        total.backward()
        optimiser.step()
    return rounded(w.detach().numpy(), b.detach().numpy())


def rounded(weights, biases):
    """The weights with 64 levels per character, as stored."""
    scales = np.abs(weights).max(1) / 31
    return np.round(weights / scales[:, None]).astype(int), scales, biases


def score(z, classifier):
    weights, scales, biases = classifier
    x = z["patch"].reshape(len(z["index"]), -1).astype(np.float32)
    value = ((x * weights[z["index"]]).sum(1) * scales[z["index"]] + biases[z["index"]]).mean()
    return float(1 / (1 + np.exp(-value)))


def halves(zones, seed=0):
    """The zones of each half of the fonts, with half of those in OCR-B."""
    side = np.random.default_rng(seed).random(len(zones)) < 0.5
    return [[z for z, s in zip(zones, side) if z["design"] in HALVES[k] or z["design"] == "ocrb" and s == (k == 0)]
            for k in (0, 1)]


def report(zones, scores):
    scores, capital = np.array(scores), np.array([z["capital"] for z in zones])
    other = np.array([z["design"] != "ocrb" for z in zones])
    print("highest of OCR-B:", np.sort(scores[~other])[-8:].round(3))
    for limit in (0.5, 0.55, 0.6, 0.65, 0.7):
        for low, high in ((10, 14), (14, 33)):
            k = (capital >= low) & (capital < high)
            print(f"limit {limit}, capitals from {low}: {(scores[k & ~other] > limit).sum()} of {(k & ~other).sum()} in OCR-B, "
                  f"{(scores[k & other] > limit).sum()} of {(k & other).sum()} in other fonts")


def text(values):
    """64 levels as characters from $ to c, 96 in a line."""
    letters = "".join(chr(36 + int(v)) for v in np.ravel(values))
    return "\n".join("    " + letters[i:i + 96] for i in range(0, len(letters), 96))


def numbers(values):
    words = [f"{v:.5g}" for v in values]
    return "\n".join("    " + ", ".join(words[i:i + 10]) + "," for i in range(0, len(words), 10))


def write(classifier):
    weights, scales, biases = classifier
    TABLE.write_text(f'''// Written by training/mrz/train_font.py.

/// Templates of OCR-B and the classifiers of its characters, in the order 0-9, A-Z, `<`; 24 rows of 16 pixels each.
enum ZoneFontTable {{
  /// The glyphs, blurred, dark on light; of mean 0 and norm 1.
  static let glyphs = rows(of: glyphLevels).map {{ rows in
    let mean = rows.reduce(0) {{ $0 + $1.sum() }} / Float(16 * rows.count)
    let norm = rows.reduce(0) {{ $0 + (($1 - mean) * ($1 - mean)).sum() }}.squareRoot()
    return rows.map {{ (mean - $0) / norm }}
  }}

  /// The weights of the classifiers, to be multiplied with ``scales``.
  static let weights = rows(of: weightLevels).map {{ $0.map {{ $0 - 32 }} }}

  /// Decodes 64 levels from `$` to `c`.
  private static func rows(of levels: String) -> [[SIMD16<Float>]] {{
    let values = levels.utf8.filter {{ $0 >= 36 }}.map {{ Float($0) - 36 }}
    let rows = stride(from: 0, to: values.count - 15, by: 16).map {{ SIMD16(values[$0..<$0 + 16]) }}
    return stride(from: 0, to: rows.count - 23, by: 24).map {{ Array(rows[$0..<$0 + 24]) }}
  }}

  static let scales: [Float] = [
{numbers(scales)}
  ]

  static let biases: [Float] = [
{numbers(biases)}
  ]

  private static let glyphLevels = #"""
{text([TEMPLATES[c] for c in ALPHABET])}
    """#

  private static let weightLevels = #"""
{text(weights + 32)}
    """#
}}
''')


def main(*, zones: Path, count: int = 1300, seed: int = 12):
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    if not zones.exists():
        zones.write_bytes(pickle.dumps(generated(seed, count)))
    made = pickle.loads(zones.read_bytes())
    parts = halves(made)
    for k in (0, 1):
        classifier = trained(parts[k] + augmented(parts[k], k))
        print(f"trained on half {k}, tested on half {1 - k}")
        report(parts[1 - k], [score(z, classifier) for z in parts[1 - k]])
    write(trained(made + augmented(made, 2)))


if __name__ == "__main__":
    command(main, __doc__)
