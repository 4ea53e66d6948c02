"""Writes data/decisive_oracle.json: numbers of samples that decide, by counting up, for tests/it/decisive.rs.

    pip install scipy==1.17.1 numpy==2.4.6
    python tests/decisive_oracle.py

The conditions are written out as the crate's documentation has them, with SciPy's distributions, and every N from 20 on is tried.
"""

import itertools
import json
from pathlib import Path

import numpy as np
from scipy import stats

MOST = 20_000
N = np.arange(20, MOST)
T = stats.t.ppf(0.975, N - 1)
Z80, Z90 = stats.norm.ppf(0.8), stats.norm.ppf(0.9)
Q1, Q2 = 1 - 0.10 ** (1 / N), 1 - 0.05 ** (1 / N)


def first(condition):
    """The least N from which the condition holds; all larger N must satisfy it too."""
    at = int(np.argmax(condition))
    assert condition[at:].all() or not condition.any()
    return int(N[at]) if condition.any() else None


def row(sd, n, fall, rise, effect):
    bound = sd * np.sqrt((n - 1) / stats.chi2.ppf(0.35, n - 1))
    sigma = bound / np.sqrt(N)
    outweighs = (1 - Q1) * (effect - Z80 * sigma) >= Q1 * fall
    narrow = (T + Z90) * sigma <= effect
    none = (1 - Q2) * Z90 * sigma <= effect - Q2 * max(fall, rise)
    return dict(sd=sd, n=n, worst_fall=fall, worst_rise=rise, effect=effect, sd_bound=float(bound),
                decisive=first(narrow & outweighs & none), gain=first(((T + Z80) * sigma <= effect) & outweighs))


def main():
    falls = ((0.0, 0.0), (2.5, 2.7), (4.0, 3.0), (1.0, 3.8))
    grid = itertools.product((0.0, 0.3, 0.55, 0.9, 1.6), (2, 8, 20, 57, 400), falls, (0.1, 0.2, 0.37, 0.8))
    rows = [row(sd, n, fall, rise, effect) for sd, n, (fall, rise), effect in grid]
    rows = [r for r in rows if r["decisive"] and r["gain"]]
    out = ",\n".join(json.dumps(r) for r in rows)
    (Path(__file__).parent / "data" / "decisive_oracle.json").write_text(f"[\n{out}\n]\n")


main()
