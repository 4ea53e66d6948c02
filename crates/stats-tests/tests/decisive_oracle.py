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

MOST = 6_000
N = np.arange(20, MOST)
Z80, Z90 = stats.norm.ppf(0.8), stats.norm.ppf(0.9)
Z = np.arange(181)[:, None] / 20 - 3
PHI = stats.norm.cdf(Z)


def risk(mean, sigma, loss):
    """The largest chance of missing a kind that makes `mean` a loss of `loss`, for each N."""
    if not sigma.any():
        return np.minimum(1, (4 - loss) / (4 + mean)) ** N
    others = 4 + mean + Z * sigma
    share = np.where(others > 4 - loss, (4 - loss) / np.maximum(others, 1e-9), 1)
    return (share**N * PHI).max(axis=0)


def first(condition):
    """The least N from which the condition holds; all larger N must satisfy it too."""
    at = int(np.argmax(condition))
    assert condition[at:].all() or not condition.any()
    return int(N[at]) if condition.any() else None


def row(sd, n, tail, most, effect, trivial=0.1):
    bound = sd * np.sqrt((n - 1) / stats.chi2.ppf(0.35, n - 1))
    sigma = bound / np.sqrt(N)
    t = stats.t.ppf(1 - tail, N - 1)
    outweighs = risk(effect - Z80 * sigma, sigma, 0) <= most
    settled = ((t + Z90) * sigma <= effect) & outweighs & (risk(-Z90 * sigma, sigma, effect) <= most)
    gain = ((t + Z80) * sigma <= effect) & (effect - Z80 * sigma >= trivial) & outweighs
    return dict(sd=sd, n=n, tail=tail, unseen_risk=most, effect=effect, sd_bound=float(bound),
                settle=first(settled), gain=first(gain))


def main():
    readings = ((0.025, 0.05), (0.0125, 0.025), (0.021134, 0.05), (0.00125, 0.025))
    grid = itertools.product((0.0, 0.3, 0.55, 0.9, 1.6), (2, 8, 20, 57, 400), readings, (0.15, 0.2, 0.37, 0.8))
    rows = [row(sd, n, tail, most, effect) for sd, n, (tail, most), effect in grid]
    rows = [r for r in rows if r["settle"] and r["gain"]]
    out = ",\n".join(json.dumps(r) for r in rows)
    (Path(__file__).parent / "data" / "decisive_oracle.json").write_text(f"[\n{out}\n]\n")


main()
