"""Writes data/redraw_oracle.json: what this crate draws at random, drawn again in NumPy, for tests/it/redraw.rs.

    pip install krippendorff==0.9.0 scipy==1.17.1 numpy==2.4.6
    python tests/redraw_oracle.py

A seed decides a result completely, so it can be held against another program to the last digits: here are ChaCha8 (Bernstein
2008), Lemire's reduction, the bootstraps and the sign flips, from their descriptions in the crate's documentation.
"""

import json
import math
import struct
from importlib.metadata import version
from pathlib import Path

import krippendorff
import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(20261122)
LEVEL = 0.95


def chacha8(seed, purpose, streams, words):
    """The first `words` 32-bit words of each stream: one row per stream."""
    key = np.frombuffer(struct.pack("<Q", seed) + purpose, dtype="<u4")
    blocks = -(-words // 16)
    stream, counter = [x.ravel() for x in np.meshgrid(np.asarray(streams, dtype=np.uint64),
                                                      np.arange(blocks, dtype=np.uint64), indexing="ij")]
    low = lambda x: (x & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    high = lambda x: (x >> np.uint64(32)).astype(np.uint32)
    fixed = np.frombuffer(b"expand 32-byte k", dtype="<u4")
    state = [np.full(len(stream), w, dtype=np.uint32) for w in [*fixed, *key]]
    state += [low(counter), high(counter), low(stream), high(stream)]
    x = [w.copy() for w in state]

    def quarter(a, b, c, d):
        for p, q, r, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[p] += x[q]
            x[r] ^= x[p]
            x[r] = (x[r] << np.uint32(by)) | (x[r] >> np.uint32(32 - by))

    for _ in range(4):
        for i in range(4):
            quarter(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    out = np.stack([a + b for a, b in zip(x, state)], axis=1)
    return out.reshape(len(streams), blocks * 16)[:, :words]


def indexes(seed, purpose, resamples, n):
    words = chacha8(seed, purpose, range(resamples), n).astype(np.uint64)
    return ((words * np.uint64(n)) >> np.uint64(32)).astype(int)


def tails(method, alpha, n, replicates, estimate, jackknife):
    """The two probabilities whose quantiles are the bounds."""
    if method == "percentile":
        return alpha, 1 - alpha
    if method == "expanded":
        tail = stats.norm.cdf(math.sqrt(n / (n - 1)) * stats.t.ppf(alpha, n - 1))
        return tail, 1 - tail
    equal = np.abs(replicates - estimate) < 1e-10
    z0 = stats.norm.ppf(np.mean(np.where(equal, 0.5, replicates < estimate)))
    u = np.mean(jackknife) - jackknife
    a = np.sum(u ** 3) / (6 * np.sum(u ** 2) ** 1.5)
    at = lambda p: stats.norm.cdf(z0 + (z0 + stats.norm.ppf(p)) / (1 - a * (z0 + stats.norm.ppf(p))))
    return at(alpha), at(1 - alpha)


def bounds(replicates, low, high):
    return [float(q) for q in np.quantile(replicates, [low, high], method="weibull")]


def lean(deviations):
    """-1 if the mirror image is drawn from, 1 if the values are, 0 if they are the same."""
    u = np.sort(deviations)
    u = u / np.abs(u).max()
    differences = [a - b for a, b in zip(u, np.sort(-u)) if abs(a - b) > 1e-12]
    return 0 if not differences else (1 if differences[0] < 0 else -1)


def oriented(x):
    """The image that is drawn from, in ascending order, and its sign."""
    x = np.asarray(x)
    sign = lean(x - x.mean())
    return np.sort(x if sign >= 0 else -x), sign


def mirrored(interval, sign):
    low, high = interval
    return [-high, -low] if sign < 0 else [low, high]


def evened(interval, sign, middle):
    half = (interval[1] - interval[0]) / 2
    return interval if sign else [middle - half, middle + half]


def farther(interval, x, alpha):
    """The default interval: each side of the bootstrap's or Student's with the skewness term, whichever is farther out."""
    n, t = len(x), stats.t.isf(alpha, len(x) - 1)
    sd = np.std(x, ddof=1)
    k = sd * stats.skew(x, bias=False) * (2 * t ** 2 + 1) / (3 * n) if n > 2 else 0.0
    low, high = np.mean(x) - t * sd / math.sqrt(n), np.mean(x) + t * sd / math.sqrt(n)
    return [float(min(interval[0], low + min(k, 0))), float(max(interval[1], high + max(k, 0)))]


def mean_bounds(x, replicates, sign, method, alpha, jackknife=None):
    """Of the image `x`, as bounds of the values."""
    drawn = evened(bounds(replicates, *tails(method, alpha, len(x), replicates, x.mean(), jackknife)), sign, x.mean())
    return mirrored(farther(drawn, x, alpha) if method == "expanded" else drawn, sign)


def columns():
    likert = lambda n: rng.integers(-4, 5, n).astype(float)
    for n in (6, 20, 50):
        yield likert(n)
        yield rng.normal(0.2, 1, n)
    yield np.exp(rng.normal(0, 1, 300))


def means():
    for seed, values in enumerate(columns()):
        x, sign = oriented(values)
        drawn = x[indexes(seed, b"eval-stats: bootstrap v1", 2000, len(x))].mean(axis=1)
        jackknife = np.array([np.mean(np.delete(x, i)) for i in range(len(x))])
        of = lambda m: mean_bounds(x, drawn, sign, m, 0.025, jackknife)
        yield dict(x=values.tolist(), seed=seed, resamples=2000, **{m: of(m) for m in ("expanded", "percentile", "bca")})


def effects():
    """d_z is resampled with the same draws; only data without constant resamples are here."""
    for seed, values in enumerate((rng.normal(0.4, 1, 15), rng.normal(-0.2, 2, 60))):
        x, sign = oriented(values)
        drawn = x[indexes(seed, b"eval-stats: bootstrap v1", 1000, len(x))]
        dz = lambda v, axis=None: np.mean(v, axis=axis) / np.std(v, axis=axis, ddof=1)
        replicates = dz(drawn, 1)
        interval = bounds(replicates, *tails("expanded", 0.025, len(x), replicates, dz(x), None))
        yield dict(x=values.tolist(), seed=seed, resamples=1000, expanded=mirrored(interval, sign))


def joint():
    """All intervals at once: the common tail from whole rows, then each column's own resamples."""
    tables = [rng.normal(0, 1, (n, 1)) + rng.normal(0, s, (n, k)) for n, s, k in ((20, 1, 3), (40, 0.5, 5), (12, 3, 2))]
    tables += [np.round(t * 1.5) for t in tables]
    for seed, table in enumerate(tables):
        resamples, (n, k) = 2000, table.shape
        deviations = np.round(table - table.mean(axis=0), 12)
        deviations = deviations / np.abs(deviations).max(axis=0)
        leans = [sign for sign in map(lean, deviations.T) if sign]
        deviations = deviations * leans[0]  # no table here is symmetric in every column
        order = np.lexsort(deviations.T[::-1])
        drawn = deviations[order][indexes(seed, b"eval-stats: joint boot 1", resamples, n)].mean(axis=1)
        extremes = np.ones(resamples)
        for column in np.round(drawn, 12).T:
            ranks = stats.rankdata(column) - 0.5
            extremes = np.minimum(extremes, np.minimum(ranks, resamples - ranks) / resamples)
        tail = np.clip(np.sort(extremes)[math.floor(0.05 * resamples + 1e-9)], 0.025 / k, 0.025)
        intervals = []
        for column in table.T:
            x, sign = oriented(column)
            replicates = x[indexes(seed, b"eval-stats: bootstrap v1", resamples, n)].mean(axis=1)
            intervals.append(mean_bounds(x, replicates, sign, "expanded", tail))
        yield dict(columns=table.T.tolist(), seed=seed, resamples=resamples, tail=float(tail), intervals=intervals)


def agreements():
    """Krippendorff's alpha of whole clusters, drawn in the order of their sorted ratings; alpha by the package."""
    for seed, (clusters, per_cluster, raters) in enumerate(((12, 1, 2), (20, 1, 3), (10, 3, 2))):
        latent = rng.normal(3, 1.1, (clusters, per_cluster, 1))
        scores = np.clip(np.round(latent + 0.7 * rng.normal(size=(clusters, per_cluster, raters))), 1, 5)
        ordered = sorted([sorted([sorted(unit) for unit in cluster]) for cluster in scores.tolist()])
        alpha_of = lambda drawn: krippendorff.alpha(np.array([u for c in drawn for u in c]).T, level_of_measurement="ordinal")
        drawn = indexes(seed, b"eval-stats: joint boot 1", 400, clusters)
        replicates = np.array([alpha_of([ordered[i] for i in row]) for row in drawn])
        estimate = alpha_of(ordered)
        jackknife = np.array([alpha_of(ordered[:i] + ordered[i + 1:]) for i in range(clusters)])
        of = lambda m: bounds(replicates, *tails(m, 0.025, clusters, replicates, estimate, jackknife))
        yield dict(clusters=scores.tolist(), seed=seed, resamples=400, alpha=float(estimate),
                   expanded=of("expanded"), percentile=of("percentile"), bca=of("bca"))


def flips():
    for seed, n in enumerate((21, 40, 64)):
        d = np.sort(rng.normal(0.3, 1, n) if n != 40 else rng.choice([-3, -2, -1, 1, 2, 3, 4], n).astype(float))
        reached = 0
        for batch in range(100):
            signs = chacha8(seed, b"eval-stats: sign flips 1", [batch], 2000)[0].reshape(1000, 2)
            bits = np.unpackbits(signs.astype("<u4").view(np.uint8), bitorder="little").reshape(1000, 64)[:, :n]
            sums = np.where(bits == 1, 1.0, -1.0) @ np.sort(np.abs(d))
            reached += int(np.sum(np.abs(sums) >= abs(d.sum()) - 1e-12 * np.abs(d).sum()))
        yield dict(d=d.tolist(), seed=seed, p=(reached + 1) / 100_001)


def shuffles():
    for seed, n in ((0, 2), (7, 30), (123456789, 200)):
        values = list(range(n))
        words = chacha8(seed, b"eval-stats: shuffling v1", [0], 2 * n)[0].astype(np.uint64)
        for i, last in enumerate(range(n - 1, 0, -1)):
            at = int(words[2 * i] | (words[2 * i + 1] << np.uint64(32))) % (last + 1)
            values[last], values[at] = values[at], values[last]
        yield dict(n=n, seed=seed, order=values)


def main():
    tables = dict(mean=means, effect=effects, joint=joint, agreement=agreements, flip=flips, shuffle=shuffles)
    out = dict(versions=dict(krippendorff=version("krippendorff"), scipy=scipy.__version__, numpy=np.__version__))
    out.update({name: list(make()) for name, make in tables.items()})
    path = Path(__file__).parent / "data" / "redraw_oracle.json"
    lines = [f"{json.dumps(k)}: {json.dumps(v)}" if k == "versions" else
             f"{json.dumps(k)}: [\n" + ",\n".join(json.dumps(row) for row in v) + "\n]"
             for k, v in out.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
