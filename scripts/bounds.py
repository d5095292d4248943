"""Bounds of shares."""
import math


def exact(errors, total):
    """Two-sided 95 % bounds (Clopper and Pearson 1934), by bisection, without dependencies."""
    def tail(p, upper):
        counts = range(errors, total + 1) if upper else range(errors + 1)
        return sum(math.comb(total, k) * p**k * (1 - p) ** (total - k) for k in counts)

    def solve(upper):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            grows = tail(middle, upper) > 0.025
            low, high = (low, middle) if grows == upper else (middle, high)
        return low

    return (solve(True) if errors else 0.0), (solve(False) if errors < total else 1.0)
