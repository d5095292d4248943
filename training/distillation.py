"""What the stage-wise distillation of networks has in common: errors relative to a target, and averaged weights."""
import os

import torch


def relative(output, target, variance):
    """Returns the squared error per channel in units of the target's variance."""
    axes = [0, *range(2, target.ndim)]
    return (((output - target) ** 2).mean(axes) / (variance + 0.02 * variance.mean())).mean()


def variance(target):
    return target.var([0, *range(2, target.ndim)])


def started(stage, target):
    """Initialises the last normalisation of a stage with the mean and deviation of its target."""
    norms = [m for m in stage.modules() if isinstance(m, torch.nn.BatchNorm2d)]
    if norms and norms[-1].num_features == target.shape[1]:
        axes = [0, *range(2, target.ndim)]
        norms[-1].weight.data, norms[-1].bias.data = target.std(axes), target.mean(axes)


def scaled(variances, student, x, targets, is_chain, share):
    """Moves the running variances of the targets, those of stages or of the chain, by a share towards those of a batch.
    Of residual stages alone, the target is the gain. The first batch initialises variances and stages."""
    gains = [
        b - a if not is_chain and getattr(stage, "is_residual", False) else b
        for stage, a, b in zip(student.stages, [x] + targets, targets)]
    now = [variance(gain) for gain in gains]
    if is_chain not in variances:
        variances[is_chain] = now
        if not is_chain:
            for stage, gain in zip(student.stages, gains):
                started(stage, gain)
    torch._foreach_lerp_(variances[is_chain], now, share)


def averaged(mean, model, done, decay):
    """Updates the exponential moving average of a model's weights, a dictionary, after `done` updates."""
    values = {name: value for name, value in model.state_dict().items() if value.is_floating_point()}
    torch._foreach_lerp_([mean[name] for name in values], list(values.values()), 1 - min(decay, (done + 1) / (done + 10)))


def saved(state, path):
    """Writes a checkpoint; an interruption leaves the previous one."""
    torch.save(state, f"{path}.part")
    os.replace(f"{path}.part", path)
