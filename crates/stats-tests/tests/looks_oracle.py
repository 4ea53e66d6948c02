#!/usr/bin/env python3
"""Tails of planned looks, by SciPy's multivariate normal distribution: the expected numbers of `it/looks.rs`.

    python3 crates/stats-tests/tests/looks_oracle.py     # needs SciPy; prints a line for each number of looks
"""
import numpy as np
from scipy.optimize import brentq
from scipy.stats import multivariate_normal, norm

ALPHA = 0.025


def spent(f):
    return 2 * norm.sf(norm.isf(ALPHA / 2) / np.sqrt(f))


def tails(shares):
    bounds = []
    for k in range(len(shares)):
        # Z_i and Z_j share the samples of the earlier look
        of = np.sqrt(np.minimum.outer(shares[: k + 1], shares[: k + 1]) / np.maximum.outer(shares[: k + 1], shares[: k + 1]))
        inside = lambda z: multivariate_normal(cov=of, abseps=1e-10, releps=1e-10, maxpts=4_000_000, seed=1).cdf(bounds + [z])
        bounds.append(brentq(lambda z: 1 - inside(z) - spent(shares[k]), 1.5, 8, xtol=1e-9))
    return norm.sf(bounds)


for looks in (2, 3, 4, 5):
    print(looks, " ".join(f"{tail:.9f}" for tail in tails(np.arange(1, looks + 1) / looks)))
