"""Log-odds of students and teachers on labelled pictures, and the threshold of a BPCER."""
from pathlib import Path

import numpy as np
import torch

from network import VIEWS, odds
from pictures import described, face_views, located, sized
from teachers import Teacher

LEAST = 0.4  # minimum share of the widest view's side inside the picture for surroundings: TextureNetwork.swift
THRESHOLD = 0.21  # of TextureNetwork.swift


class Evidence:
    """Per picture: source, species, whether it has surroundings, and the log-odds per view of `students` and `teachers`.

    The source of portraits is the name of their table.
    """

    def __init__(self, tables, model, teachers=None, only=None):
        model.eval()
        judges = [Teacher(teachers, view, 1) for view in range(len(VIEWS))] if teachers else []
        rows, students, taught = [], [], []
        for table in tables:
            for path, box in located(table):
                source, species, _ = described(path)
                if only and species != only:
                    continue
                picture, box = sized(path, box)
                around = min(picture.shape[:2]) >= LEAST * VIEWS[1][1] * box[2]
                rows.append((Path(table).stem if source == "portraits" else source, species, around))
                views = [view[None].astype(np.float32) for view in face_views(picture, box)]
                with torch.no_grad():
                    students.append(model.evidence([torch.from_numpy(view) for view in views])[0].numpy())
                taught.append([
                    odds(torch.from_numpy(judge.maps(view)[-1]), i)[0].item()
                    for i, (judge, view) in enumerate(zip(judges, views))])
        self.source, self.species, self.around = (np.array(column) for column in zip(*rows))
        self.students, self.teachers = np.array(students), np.array(taught)


def threshold(scores, source, refused=0.05):
    """Returns the threshold at this BPCER over the sources, each with the same weight."""
    _, which, counts = np.unique(source, return_inverse=True, return_counts=True)
    order = np.argsort(scores)
    weight = (1 / counts[which] / len(counts))[order]
    return scores[order][np.cumsum(weight) - weight <= refused][-1]
