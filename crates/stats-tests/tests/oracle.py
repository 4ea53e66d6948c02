"""Writes data/oracle.json: what SciPy, statsmodels and NumPy say, for tests/it/oracle.rs.

    pip install scipy==1.17.1 statsmodels==0.15.0 numpy==2.4.6
    python tests/oracle.py

Deterministic: the only random numbers are NumPy's PCG64 with fixed seeds.
"""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import scipy
import statsmodels
from scipy import optimize, stats
from scipy.stats import _resampling
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import proportion_confint

rng = np.random.default_rng(20240501)
LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99, 0.999]


def likert(n):
    return (rng.integers(-4, 5, n) / rng.choice([1, 2, 3])).tolist()


def normal(n, scale=1.0):
    return (rng.normal(0.3, 1, n) * scale).tolist()


def columns():
    for n in (2, 3, 5, 10, 20, 50, 200):
        yield normal(n)
        yield normal(n, 1e6)
        if n > 3:
            yield likert(n)


def t_intervals():
    for x in columns():
        if np.std(x) == 0:
            continue
        for level in LEVELS:
            ci = stats.ttest_1samp(x, 0).confidence_interval(level)
            yield dict(x=x, level=level, low=ci.low, high=ci.high)
    # many degrees of freedom, from a column that is quick to write: k times -1 and k times 1
    for k in (250, 5_000, 40_000, 200_000):
        x = np.repeat([-1.0, 1.0], k)
        for level in LEVELS:
            ci = stats.ttest_1samp(x, 0).confidence_interval(level)
            yield dict(k=k, level=level, low=ci.low, high=ci.high)


def welches():
    for na, nb in ((2, 2), (2, 30), (5, 5), (7, 12), (50, 20), (300, 200)):
        for shift in (0.0, 0.5, 3.0):
            a, b = normal(na), (np.array(normal(nb, 2.5)) + shift).tolist()
            r = stats.ttest_ind(a, b, equal_var=False)
            yield dict(a=a, b=b, t=r.statistic, df=r.df, p=r.pvalue)


def descriptions():
    for x in columns():
        ps = [0.0, 0.001, 0.025, 0.3, 0.5, 0.77, 0.975, 1.0]
        yield dict(x=x, mean=np.mean(x), sd=np.std(x, ddof=1), p=ps,
                   quantiles=np.quantile(x, ps, method="weibull").tolist())


def fixed_replicates():
    """Bounds for given replicates: SciPy's own BCa probabilities, Hesterberg's by formula; quantiles by definition 6."""
    quarters = lambda n: rng.integers(-4, 5, n) / 4
    for n, make in itertools.product((5, 12, 40), (quarters, normal, lambda n: np.exp(normal(n)))):
        x = np.array(make(n))
        for stat in (np.mean, np.std):
            replicates = stat(x[rng.integers(0, n, (400, n))], axis=1)
            estimate = stat(x)
            replicates[np.abs(replicates - estimate) < 1e-12] = estimate  # the same values in another order
            jackknife = [stat(np.delete(x, i)) for i in range(n)]
            for level in (0.8, 0.95):
                alpha = (1 - level) / 2
                low, high, a = _resampling._bca_interval(
                    (x,), lambda v, axis: stat(v, axis=axis), -1, alpha, replicates, None, np)
                tail = stats.norm.cdf(math.sqrt(n / (n - 1)) * stats.t.ppf(alpha, n - 1))
                reach = stats.t.isf(alpha, n - 1) * np.std(replicates, ddof=1) * math.sqrt(n / (n - 1))
                q = lambda a, b: np.quantile(replicates, [float(a), float(b)], method="weibull").tolist()
                yield dict(n=n, estimate=estimate, jackknife=jackknife, acceleration=float(a),
                           replicates=replicates.tolist(), level=level,
                           bca=q(low, high), percentile=q(alpha, 1 - alpha), expanded=q(tail, 1 - tail),
                           t=[estimate - reach, estimate + reach])


def resampled():
    """SciPy's bootstrap of the mean with many resamples; the tests allow Monte-Carlo error."""
    for make, n in itertools.product((likert, normal), (10, 25, 100)):
        x = make(n)
        out = dict(x=x, sd=np.std(x, ddof=1))
        for name, method in (("bca", "BCa"), ("percentile", "percentile")):
            ci = stats.bootstrap((x,), np.mean, n_resamples=200_000, method=method, batch=10_000,
                                 rng=np.random.default_rng(1)).confidence_interval
            out[name] = [ci.low, ci.high]
        yield out


def permutations():
    for n in (2, 3, 6, 9, 12):
        for d in (likert(n), likert(n), normal(n)):
            r = stats.permutation_test((d,), np.sum, permutation_type="samples", n_resamples=np.inf)
            yield dict(d=d, p=r.pvalue)
    for n in (18, 20):  # too many for SciPy's generality: integers, all patterns at once
        d = rng.integers(-3, 5, n)
        sums = np.zeros(1, dtype=int)
        for v in d:
            sums = np.concatenate([sums + v, sums - v])
        yield dict(d=d.tolist(), p=float(np.mean(np.abs(sums) >= abs(d.sum()))))


def wilsons():
    for k, n in ((0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (49, 50), (500, 1000), (999_999, 10_000_000)):
        for level in LEVELS:
            low, high = proportion_confint(k, n, 1 - level, method="wilson")
            yield dict(k=k, n=n, level=level, low=float(low), high=float(high))


def mcnemars():
    for b, c in ((0, 1), (1, 0), (0, 6), (2, 9), (9, 2), (15, 16), (40, 61), (500, 600), (10, 300), (48_000, 49_000)):
        yield dict(b=b, c=c, p=float(mcnemar([[5, b], [c, 7]], exact=True).pvalue))


def holms():
    for p in ([0.01], [0.01, 0.04, 0.03, 0.005], [0.5, 0.5, 0.001], [1, 0, 0.2], rng.random(30).tolist(),
              (rng.random(20) ** 4).tolist()):
        yield dict(p=p, adjusted=multipletests(p, method="holm")[1].tolist())


def paired_power(effect, n, alpha):
    return float(TTestPower().power(effect, n, alpha, alternative="two-sided"))


def powers():
    for n, effect, alpha in itertools.product((2, 3, 6, 20, 50, 500, 20_000), (0.01, 0.2, 0.5, 1.5), (0.2, 0.05, 0.001)):
        p = paired_power(effect, n, alpha)
        if math.isfinite(p):
            yield dict(sd=1.3, difference=1.3 * effect, n=n, alpha=alpha, power=p)


def detectables():
    for n, alpha, target in itertools.product((3, 6, 20, 50, 500), (0.05, 0.01), (0.5, 0.8, 0.95)):
        critical = stats.t.isf(alpha / 2, n - 1)
        # TTestPower's own sum; SciPy's far tail is NaN where it vanishes
        both = lambda ncp: stats.nct.sf(critical, n - 1, ncp) + np.nan_to_num(stats.nct.cdf(-critical, n - 1, ncp))
        effect = optimize.brentq(lambda ncp: both(ncp) - target, 1e-3, 60, xtol=1e-15, rtol=1e-14) / math.sqrt(n)
        yield dict(sd=0.8, n=n, alpha=alpha, power=target, difference=0.8 * effect)


def pairs():
    for effect, alpha, target in itertools.product((0.03, 0.1, 0.25, 0.5, 1.0, 3.0), (0.05, 0.01), (0.8, 0.9)):
        n = 2
        while paired_power(effect, n, alpha) < target:
            n = max(n + 1, int(n * 1.2) if paired_power(effect, int(n * 1.2), alpha) < target else 0)
        yield dict(sd=2.0, difference=2.0 * effect, alpha=alpha, power=target, n=n)


def exact_dz():
    for n, shift in itertools.product((3, 8, 25, 120), (0.0, 0.8)):
        d = (np.array(normal(n)) + shift).tolist()
        dz = np.mean(d) / np.std(d, ddof=1)
        t = dz * math.sqrt(n)
        bound = lambda p: optimize.brentq(lambda ncp: stats.nct.sf(t, n - 1, ncp) - p, t - 15 - abs(t), t + 15 + abs(t),
                                          xtol=1e-14, rtol=1e-14) / math.sqrt(n)
        yield dict(d=d, dz=dz, low=bound(0.025), high=bound(0.975))


def superiorities():
    for x in columns():
        yield dict(d=x, median=np.median(x), superiority=float(np.mean(np.sign(x)) / 2 + 0.5))


# Davies & Goldsmith (1972), Statistical Methods in Research and Production, §6.4: yield of dyestuff, six batches of
# five; lme4 prints variances 1764 and 2451.
DYESTUFF = [[1545, 1440, 1440, 1520, 1580], [1540, 1555, 1490, 1560, 1495], [1595, 1550, 1605, 1510, 1560],
            [1445, 1440, 1595, 1465, 1545], [1595, 1630, 1515, 1635, 1625], [1520, 1455, 1450, 1480, 1445]]
# Box & Tiao (1973), Bayesian Inference in Statistical Analysis, §5.1.2: the same design, simulated, in which the
# estimate between batches is negative.
NEGATIVE = [[7.298, 3.846, 2.434, 9.566, 7.99], [5.22, 6.556, 0.608, 11.788, -0.892], [0.11, 10.386, 13.434, 5.51, 8.166],
            [2.212, 4.852, 7.092, 9.288, 4.98], [0.282, 9.014, 4.458, 9.446, 7.198], [1.722, 4.782, 8.106, 0.758, 3.758]]
# Davies & Goldsmith (1972), §6.5: strength of a chemical paste, ten batches, three casks of each, two assays of each cask.
PASTES = [[[62.8, 62.6], [60.1, 62.3], [62.7, 63.1]], [[60.0, 61.4], [57.5, 56.9], [61.1, 58.9]],
          [[58.7, 57.5], [63.9, 63.1], [65.4, 63.7]], [[57.1, 56.4], [56.9, 58.6], [64.7, 64.5]],
          [[55.1, 55.1], [54.7, 54.2], [58.8, 57.5]], [[63.4, 64.9], [59.3, 58.1], [60.5, 60.0]],
          [[62.5, 62.6], [61.0, 58.7], [56.9, 57.7]], [[59.2, 59.4], [65.2, 66.0], [64.8, 64.1]],
          [[54.8, 54.8], [64.0, 64.0], [57.7, 56.8]], [[58.3, 59.3], [59.2, 59.2], [58.9, 56.6]]]


def ragged(a, repeats, opinions, spreads):
    """Samples of 1..=repeats runs of 1..=opinions opinions, from the model itself."""
    out = []
    for _ in range(a):
        s, runs = rng.normal(3, spreads[0]), []
        for _ in range(rng.integers(1, repeats + 1)):
            r = rng.normal(0, spreads[1])
            runs.append((s + r + rng.normal(0, spreads[2], rng.integers(1, opinions + 1))).tolist())
        out.append(runs)
    return out


def projection(labels):
    """Onto the means of groups."""
    z = (labels[:, None] == np.unique(labels)).astype(float)
    return z, z @ np.diag(1 / z.sum(axis=0)) @ z.T


def nested_moments(table):
    """Quadratic forms set equal to their expectations, as traces of projections: no formula of the textbook's is used."""
    y = np.array([x for runs in table for opinions in runs for x in opinions])
    sample = np.array([i for i, runs in enumerate(table) for opinions in runs for _ in opinions])
    run = np.array([j for j, opinions in enumerate(o for runs in table for o in runs) for _ in opinions])
    (zs, ps), (zr, pr), one = projection(sample), projection(run), np.full((len(y), len(y)), 1 / len(y))
    levels = [(ps - one, zs), (pr - ps, zr), (np.eye(len(y)) - pr, np.eye(len(y)))]
    levels = [(q, z) for q, z in levels if np.trace(q) > 0.5]
    forms = np.array([y @ q @ y for q, _ in levels])
    expected = np.array([[np.trace(q @ z @ z.T) for _, z in levels] for q, _ in levels])
    return np.linalg.solve(expected, forms).tolist(), len(y), len(np.unique(run))


def components():
    deeper = lambda table: [[[x] for x in row] for row in table]
    rows = [("dyestuff", deeper(DYESTUFF)), ("negative", deeper(NEGATIVE)), ("pastes", PASTES)]
    for a, repeats, opinions, spreads in ((4, 3, 3, (1, 0.5, 0.3)), (12, 5, 2, (0.3, 0.6, 0.4)), (30, 4, 4, (1, 0.2, 0.5)),
                                          (20, 5, 1, (0.8, 0.5, 0)), (15, 1, 3, (1, 0, 0.4)), (9, 1, 1, (1, 0, 0)),
                                          (6, 3, 2, (0.0, 0.0, 1.0)), (8, 4, 2, (0.0, 1.0, 0.1))):
        rows.append(("ragged", ragged(a, repeats, opinions, spreads)))
    for name, table in rows:
        raw, scores, runs = nested_moments(table)
        raw = dict(zip(["samples"] + ["repeats"] * (runs > len(table)) + ["opinions"] * (scores > runs), raw))
        yield dict(name=name, scores=table, raw=raw, run_count=runs, score_count=scores)


# Chatterjee & Price (1977), Regression Analysis by Example: 30 departments (rows) rated on seven questions
ATTITUDE = np.array([int(x) for x in """43 51 30 39 61 92 45 63 64 51 54 63 73 47 71 70 68 69 76 86 48 61 63 45 47 54 84 35
81 78 56 66 71 83 47 43 55 49 44 54 49 34 58 67 42 56 66 68 35 71 75 50 55 70 66 41 72 82 72 67 71 83 31 67 61 45 47 62 80 41
64 53 53 58 58 67 34 67 60 47 39 59 74 41 69 62 57 42 55 63 25 68 83 83 45 59 77 35 77 77 54 72 79 77 46 81 90 50 72 60 54 36
74 85 64 69 79 79 63 65 60 65 75 55 80 60 65 70 46 57 75 85 46 50 58 68 54 64 78 52 50 40 33 34 43 64 33 64 61 52 62 66 80 41
53 66 52 50 63 80 37 40 37 42 58 50 57 49 63 54 42 48 66 75 33 66 77 66 63 88 76 72 78 75 58 74 80 78 49 48 57 44 45 51 83 38
85 85 71 71 77 74 55 82 82 39 59 64 78 39""".split()]).reshape(30, 7)


def item_totals():
    def data():
        yield "attitude", ATTITUDE.astype(float)
        for rows, items in ((10, 30), (12, 3), (40, 100)):
            yield "likert", np.clip(np.round(3 + rng.normal(size=(rows, 1)) + rng.normal(size=(rows, items))), 1, 5)
        gaps = 3 + rng.normal(size=(25, 1)) + rng.normal(size=(25, 8)) + np.arange(8)
        gaps[rng.random(gaps.shape) < 0.15] = np.nan
        yield "gaps", gaps

    for name, x in data():
        centred = x - np.nanmean(x, axis=0)
        out = []
        for i in range(x.shape[1]):
            rest = np.nanmean(np.delete(centred, i, axis=1), axis=1)
            there = ~np.isnan(x[:, i]) & ~np.isnan(rest)
            r = stats.pearsonr(x[there, i], rest[there])
            ci = r.confidence_interval(0.9)
            out.append(dict(correlation=float(r.statistic), low=float(ci.low), high=float(ci.high), rows=int(there.sum())))
        items = [[None if math.isnan(v) else float(v) for v in column] for column in x.T]
        yield dict(name=name, items=items, level=0.9, expected=out)


def saturations():
    for n, make in ((6, normal), (13, likert), (20, likert), (50, normal), (333, likert)):
        d = make(n)
        sizes = [n]
        while int(sizes[0] * 4 // 5) >= 6:
            sizes.insert(0, int(sizes[0] * 4 // 5))
        for level, effect in ((0.95, 0.2), (0.8, 0.05)):
            half = lambda m, s: stats.t.isf((1 - level) / 2, m - 1) * s / math.sqrt(m)
            widths = [2 * half(m, np.std(d[:m], ddof=1)) for m in sizes]
            s = np.std(d, ddof=1)
            needed = next(m for m in itertools.count(2) if half(m, s) <= effect)
            yield dict(d=d, level=level, effect=effect, sizes=sizes, widths=widths,
                       expected=[2 * half(m, s) for m in sizes], needed=needed)


def outliers():
    for n, sigma in ((10, 0.3), (37, 1.0), (200, 0.7), (5000, 0.5)):
        x = np.exp(rng.normal(1, sigma, n))
        x[rng.random(n) < 0.02] *= 50
        if n < 1000:
            x = np.append(x, 0.0)
        logs = np.log(x[x > 0])
        limit = math.exp(np.median(logs) + 3.5 * stats.median_abs_deviation(logs, scale="normal"))
        yield dict(x=x.tolist(), limit=limit, median=np.median(x[x > 0]), positions=np.flatnonzero(x > limit).tolist())


def main():
    tables = dict(t_interval=t_intervals, welch=welches, describe=descriptions, replicates=fixed_replicates,
                  resampled=resampled, permutation=permutations, wilson=wilsons, mcnemar=mcnemars, holm=holms,
                  power=powers, detectable=detectables, pairs=pairs, exact_dz=exact_dz, superiority=superiorities, components=components,
                  item_total=item_totals, saturation=saturations, outliers=outliers)
    out = dict(versions=dict(scipy=scipy.__version__, statsmodels=statsmodels.__version__, numpy=np.__version__))
    out.update({name: list(make()) for name, make in tables.items()})
    path = Path(__file__).parent / "data" / "oracle.json"
    lines = [f"{json.dumps(k)}: {json.dumps(v, default=float)}" if k == "versions" else
             f"{json.dumps(k)}: [\n" + ",\n".join(json.dumps(row, default=float) for row in v) + "\n]"
             for k, v in out.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
