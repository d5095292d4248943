"""Log-odds of students and teachers on labelled pictures, and error rates."""
from pathlib import Path

import numpy as np
import torch
from scipy.stats import beta

import crops
from network import VIEWS, odds
from pictures import decoded, described, located
from teachers import Teacher

LEAST = 0.4  # minimum share of the widest view's side inside the picture for surroundings: TextureNetwork.swift


class Evidence:
    """Per picture: metadata, whether it has surroundings, and the log-odds per view of `students` and `teachers`.

    The source of portraits is the name of their table.
    """

    def __init__(self, tables, model, teachers=None, only=None):
        model.eval()
        judges = [Teacher(teachers, view, 1) for view in range(len(VIEWS))] if teachers else []
        rows, students, taught = [], [], []
        for table in tables:
            for path, (x, y, w) in located(table):
                source, species, subject = described(path)
                if only and species != only:
                    continue
                picture = decoded(path)
                height, width = picture.shape[:2]
                box = x * width, y * height, w * width
                views = [view.transpose(2, 0, 1)[None].astype(np.float32) for view in crops.views(picture, box)]
                around = min(height, width) >= LEAST * VIEWS[1][1] * box[2]
                source = Path(table).stem if source == "portraits" else source
                rows.append((str(path), source, species, subject, around))
                with torch.no_grad():
                    students.append(model.evidence([torch.from_numpy(view) for view in views])[0].numpy())
                taught.append([
                    odds(torch.from_numpy(judge.maps(view)[-1]), i)[0].item()
                    for i, (judge, view) in enumerate(zip(judges, views))])
        paths, source, species, subject, around = (np.array(column) for column in zip(*rows))
        self.paths, self.source, self.species, self.subject, self.around = paths, source, species, subject, around
        self.students, self.teachers = np.array(students), np.array(taught)


def auc(live, attack):
    """Returns the probability that a bona fide picture has the larger score."""
    return ((live[:, None] > attack).mean() + 0.5 * (live[:, None] == attack).mean()).item()


def bounds(errors, total):
    """Formats a count with its exact 95 % bounds (Clopper-Pearson), which assume independent pictures."""
    low = beta.ppf(0.025, errors, total - errors + 1) if errors else 0.0
    high = beta.ppf(0.975, errors + 1, total - errors) if errors < total else 1.0
    return f"{errors} of {total} ({100 * low:.0f}-{100 * high:.0f} %)"


def threshold(scores, source, refused=0.05):
    """Returns the threshold at this BPCER over the sources, each with the same weight."""
    _, which, counts = np.unique(source, return_inverse=True, return_counts=True)
    order = np.argsort(scores)
    weight = (1 / counts[which] / len(counts))[order]
    return scores[order][np.cumsum(weight) - weight <= refused][-1]
