#!/usr/bin/env python3
"""Error rates of the texture network on pictures and frames it has not learned from.

    evaluate.py THRESHOLD photos frames [--weights final.pt]

`photos` stands for photos.tsv and photos.u8, which cut-faces wrote. The scores are those of cut-faces, of the network
as it is shipped; with --weights they are computed anew by that checkpoint. What a picture shows is told by its folder
(live, print, screen, mask), and for frames of clips by the clip's name: CLIP_00012.png, a replay if it has "replay".
Bounds are exact binomial (Clopper and Pearson), 95 %. Frames of one clip are not independent: their bounds are too
narrow.
"""
import argparse
import re
from pathlib import Path

import numpy as np
from scipy.stats import beta


def bounds(errors, total):
    low = beta.ppf(0.025, errors, total - errors + 1) if errors else 0.0
    high = beta.ppf(0.975, errors + 1, total - errors) if errors < total else 1.0
    return low, high


def rate(name, errors, total):
    low, high = bounds(errors, total)
    print(f"{name}: {errors} of {total} = {errors / max(total, 1):.4f} ({low:.4f}-{high:.4f})")


def auc(live, attack):
    order = np.sort(attack)
    return (np.searchsorted(order, live, "left") + np.searchsorted(order, live, "right")).mean() / 2 / len(order)


def computed(weights, views):
    import torch
    from network import SIDE, VIEWS, Texture

    torch.set_num_threads(1)
    model = Texture().eval()
    model.load_state_dict(torch.load(weights))
    views = np.memmap(views, np.uint8, "r").reshape(-1, len(VIEWS), SIDE, SIDE, 3)
    found = []
    with torch.no_grad():
        for start in range(0, len(views), 64):
            x = torch.from_numpy(np.ascontiguousarray(views[start : start + 64].transpose(0, 1, 4, 2, 3)))
            found.append(model(x.reshape(-1, 3 * len(VIEWS), SIDE, SIDE).float()).numpy()[:, 0])
    return np.concatenate(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("threshold", type=float)
    parser.add_argument("cuts", nargs="+")
    parser.add_argument("--weights")
    parser.add_argument("--list", action="store_true", help="name each error")
    arguments = parser.parse_args()

    groups = {}
    for prefix in arguments.cuts:
        lines = [line.rstrip("\n").split("\t") for line in open(prefix + ".tsv")]
        scores = [float(line[1]) for line in lines]
        if arguments.weights:
            scores = computed(arguments.weights, prefix + ".u8")
        for (path, *_), score in zip(lines, scores):
            path = Path(path)
            clip = re.fullmatch(r"(.+)_\d{5}", path.stem)
            kind = f"{path.parent.parent.name}/{path.parent.name}"
            is_live = path.parent.name == "live"
            if clip and path.parent.name not in ("live", "print", "screen", "mask"):
                kind, is_live = "clip " + clip[1], "replay" not in clip[1]
            groups.setdefault((is_live, kind), []).append((float(score), str(path)))

    for (is_live, kind), found in sorted(groups.items()):
        wrong = [(s, p) for s, p in found if (s < arguments.threshold) == is_live]
        values = [s for s, _ in found]
        print(f"{'live' if is_live else 'attack'} {kind}: score 5 % {np.quantile(values, 0.05):.3f} "
              f"median {np.median(values):.3f} 95 % {np.quantile(values, 0.95):.3f}")
        rate("  refused" if is_live else "  accepted", len(wrong), len(found))
        if arguments.list:
            for s, p in wrong:
                print(f"    {s:.3f} {p}")
    kinds = {
        "photos": lambda live, kind: not kind.startswith("clip"),
        "clips": lambda live, kind: kind.startswith("clip"),
        "nuaa": lambda live, kind: kind.startswith("nuaa"),
    }
    for name, test in kinds.items():
        live, attack = ([s for (l, k), found in groups.items() if l == which and test(l, k) for s, _ in found]
                        for which in (True, False))
        if live and attack:
            live, attack = np.array(live), np.array(attack)
            print(f"{name}: AUC {auc(live, attack):.4f}")
            rate("  living refused", int((live < arguments.threshold).sum()), len(live))
            rate("  attacks accepted", int((attack >= arguments.threshold).sum()), len(attack))
            worst = attack.max()
            rate(f"  living refused where no attack is accepted (above {worst:.3f})", int((live <= worst).sum()), len(live))


if __name__ == "__main__":
    main()
