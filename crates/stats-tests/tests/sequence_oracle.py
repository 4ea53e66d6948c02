"""Writes data/sequence_oracle.json: asymptotic confidence sequences, for tests/it/confidence_sequence.rs.

    python tests/sequence_oracle.py

Written from the paper (Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas 2024, Theorem 2.2 and appendix B.2), not from our
code, with decimals of 50 digits and nothing but the standard library: rho by bisection on the width itself (no closed
form, no Lambert W), mean and variance by their definitions.
"""

import json
import random
from decimal import Decimal as D, getcontext
from pathlib import Path

getcontext().prec = 50


def squared_width(x, alpha):
    """(n times) the squared half width of unit variance, as a function of x = n rho^2."""
    return 2 * (x + 1) / x * ((x + 1).sqrt() / alpha).ln()


def tightest(alpha):
    """The x of the least width: bisection on the sign of a central difference."""
    low, high = D("1e-6"), D(10000)
    step = D("1e-20")
    for _ in range(160):
        middle = (low * high).sqrt()
        slope = squared_width(middle + step, alpha) - squared_width(middle - step, alpha)
        low, high = (middle, high) if slope < 0 else (low, middle)
    return low


def interval(values, level, at):
    alpha = 1 - D(level)
    n = D(len(values))
    rho2 = tightest(alpha) / at
    values = [D(v) for v in values]
    mean = sum(values) / n
    variance = sum((v - mean) ** 2 for v in values) / (n - 1)
    half = (variance * squared_width(n * rho2, alpha) / n).sqrt()
    return dict(n=int(n), mean=float(mean), low=float(mean - half), high=float(mean + half))


source = random.Random(20260101)
rows = []
for level in (0.5, 0.9, 0.95, 0.975, 0.99, 1 - 0.05 / 3):
    for at in (1, 10, 50, 1000):
        for scale in (1.0, 1e6):
            values = [source.gauss(0.3, 1) * scale for _ in range(120)]
            looks = [interval(values[:n], level, at) for n in (2, 10, 37, 120)]
            rows.append(dict(level=level, at=at, values=values, looks=looks))
for level in (0.95, 0.975):
    values = [float(source.randint(-4, 4)) for _ in range(60)]
    looks = [interval(values[:n], level, 30) for n in (10, 11, 59, 60)]
    rows.append(dict(level=level, at=30, values=values, looks=looks))

path = Path(__file__).parent / "data" / "sequence_oracle.json"
path.write_text(json.dumps(rows, separators=(",", ":")) + "\n")
