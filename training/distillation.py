"""Stage-wise distillation: a student has the stage layout of its teacher, so that the output of each stage has a target.

First each stage is trained alone on the teacher's previous output, then the network end to end. The exponential moving
average of the weights is what training results in.
"""
import math
import os
import time

import numpy as np
import torch
from torch import nn

RAMP = 200  # steps until the learning rate is reached
MEASURED = 1000  # steps
AVERAGE = 0.999  # largest decay of the exponential moving average of the weights


class Squeeze(nn.Module):
    """Squeeze-and-excitation: scales each channel by a function of the means of all channels."""

    def __init__(self, channels, inner, activation):
        super().__init__()
        self.weights = nn.Sequential(
            nn.AdaptiveAvgPool2d(1), nn.Conv2d(channels, inner, 1), activation, nn.Conv2d(inner, channels, 1), nn.Sigmoid())

    def forward(self, x):
        return x * self.weights(x)


class Bottleneck(nn.Module):
    """Layers whose output is added to their input, unless they halve the resolution."""

    def __init__(self, stride, *layers):
        super().__init__()
        self.branch = nn.Sequential(*layers)
        self.is_residual = stride == 1

    def forward(self, x):
        return x + self.branch(x) if self.is_residual else self.branch(x)


class Student(nn.Module):
    """A network with random weights and one module per stage."""

    def __init__(self, stages):
        super().__init__()
        self.stages = nn.ModuleList(stages)

    def scaled(self, x):
        """The input of the first stage."""
        return x

    def maps(self, x):
        """Returns the output of each stage."""
        x, found = self.scaled(x), []
        for stage in self.stages:
            x = stage(x)
            found.append(x)
        return found

    def forward(self, x):
        return self.maps(x)[-1]


def relative(output, target, variance):
    """Returns the squared error per channel in units of the target's variance."""
    axes = [0, *range(2, target.ndim)]
    return (((output - target) ** 2).mean(axes) / (variance + 0.02 * variance.mean())).mean()


def started(stage, target):
    """Initialises the last normalisation of a stage with the mean and deviation of its target."""
    norms = [m for m in stage.modules() if isinstance(m, nn.BatchNorm2d)]
    if norms and norms[-1].num_features == target.shape[1]:
        axes = [0, *range(2, target.ndim)]
        norms[-1].weight.data, norms[-1].bias.data = target.std(axes), target.mean(axes)


def averaged(mean, model, done, decay=AVERAGE):
    """Updates the exponential moving average of a model's weights, a dictionary, after `done` updates."""
    values = {name: value for name, value in model.state_dict().items() if value.is_floating_point()}
    torch._foreach_lerp_([mean[name] for name in values], list(values.values()), 1 - min(decay, (done + 1) / (done + 10)))


def saved(state, path):
    """Writes a checkpoint; an interruption leaves the previous one."""
    torch.save(state, f"{path}.part")
    os.replace(f"{path}.part", path)


class Lesson:
    """A student with its optimiser. Subclasses have `prepared(found, is_chain)`: the input, the teacher's maps of it, and
    what `output_losses` needs; `output_losses`: losses of the output besides those of the stages; `total`: what is
    minimised; and `measured()`: what is printed every 1,000 steps."""

    SCALED = 1, 0.02  # steps between updates of the targets' variances, and their share

    def __init__(self, student, is_compiled, is_bf16=False):
        self.student = student.train()
        self.optimiser = torch.optim.Adam(student.parameters(), betas=(0.9, 0.98))
        self.is_bf16 = is_bf16
        self.variances = {}  # of the targets, for stages and for the chain
        self.mean = {name: value.clone() for name, value in student.state_dict().items()}
        self.losses = torch.compile(self.compared) if is_compiled else self.compared

    def state(self):
        return dict(
            model=self.student.state_dict(), optimiser=self.optimiser.state_dict(), variances=self.variances,
            mean=self.mean)

    def load(self, state):
        self.student.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.variances, self.mean = state["variances"], state["mean"]

    def scale(self, x, targets, is_chain, share):
        """Moves the running variances of the targets by a share towards those of a batch. Of residual stages alone, the
        target is the gain. The first batch initialises variances and stages."""
        gains = [
            b - a if not is_chain and getattr(stage, "is_residual", False) else b
            for stage, a, b in zip(self.student.stages, [x] + targets, targets)]
        now = [gain.var([0, *range(2, gain.ndim)]) for gain in gains]
        if is_chain not in self.variances:
            self.variances[is_chain] = now
            if not is_chain:
                for stage, gain in zip(self.student.stages, gains):
                    started(stage, gain)
        torch._foreach_lerp_(self.variances[is_chain], now, share)

    def compared(self, x, targets, variances, is_chain, *more):
        """Returns the relative error of each stage, alone or end to end, and the losses of the output."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.is_bf16):
            if is_chain:
                outputs = self.student.maps(x)
            else:
                # Large maps contain many positions: one or two pictures suffice.
                counts = [max(1, min(len(x), len(x) * 100 // target[0, 0].numel())) for target in targets]
                inputs = [self.student.scaled(x)] + targets
                outputs = [stage(given[:n]) for stage, given, n in zip(self.student.stages, inputs, counts)]
                targets = [target[:n] for target, n in zip(targets, counts)]
        outputs = [output.float() for output in outputs]
        return torch.stack([
            *(relative(o, t, v) for o, t, v in zip(outputs, targets, variances)),
            *self.output_losses(outputs[-1], targets[-1], *more)])

    def step(self, found, is_chain, rate, done):
        """Takes a step, the first after `done` steps of its kind; returns the losses before it."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        x, targets, *more = self.prepared(found, is_chain)
        every, share = self.SCALED
        if done % every == 0 or is_chain not in self.variances:
            self.scale(x, targets, is_chain, share)
        self.optimiser.zero_grad()
        losses = self.losses(x, targets, self.variances[is_chain], is_chain, *more)
        self.total(losses, is_chain).backward()
        nn.utils.clip_grad_norm_(self.student.parameters(), 5.0 if is_chain else 50.0)
        self.optimiser.step()
        averaged(self.mean, self.student, done)
        return losses.detach().numpy()


def taught(path, lessons, draws, stages, chain, rates, every):
    """Trains lessons for `stages` steps alone and `chain` end to end. Resumes from the checkpoint at `path`, which is
    written every `every` steps. `draws` returns, for a random generator, a function that draws a batch."""
    done = 0
    if path.exists():
        state = torch.load(path)
        done = state["step"]
        for lesson, its in zip(lessons, state["lessons"]):
            lesson.load(its)
        print("resumed after step", done)
    draw = draws(np.random.default_rng([int(time.time()), done]))
    start, losses, last = time.time(), [], stages + chain
    for step in range(done + 1, last + 1):
        is_chain = step > stages
        at = step - 1 - stages if is_chain else step - 1
        share = at / (chain if is_chain else stages)
        rate = rates[is_chain] * min(1, (at + 1) / RAMP)
        rate *= 0.5 + 0.5 * math.cos(math.pi * share) if is_chain else 1 - 0.9 * share
        found = draw(is_chain)
        losses.append([lesson.step(found, is_chain, rate, at) for lesson in lessons])
        if step % every == 0 or step == last:
            saved(dict(step=step, lessons=[lesson.state() for lesson in lessons]), path)
            print(f"step {step} {time.time() - start:.0f} s", np.round(np.mean(losses, 0), 3).tolist(), flush=True)
            losses = []
        if step % MEASURED == 0 or step == last:
            print(*(lesson.measured() for lesson in lessons), sep="\n", flush=True)
