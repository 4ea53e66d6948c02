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


def main():
    tables = dict(t_interval=t_intervals, welch=welches, describe=descriptions, replicates=fixed_replicates,
                  resampled=resampled, permutation=permutations, wilson=wilsons, mcnemar=mcnemars, holm=holms,
                  power=powers, detectable=detectables, pairs=pairs, exact_dz=exact_dz)
    out = dict(versions=dict(scipy=scipy.__version__, statsmodels=statsmodels.__version__, numpy=np.__version__))
    out.update({name: list(make()) for name, make in tables.items()})
    path = Path(__file__).parent / "data" / "oracle.json"
    lines = [f"{json.dumps(k)}: {json.dumps(v, default=float)}" if k == "versions" else
             f"{json.dumps(k)}: [\n" + ",\n".join(json.dumps(row, default=float) for row in v) + "\n]"
             for k, v in out.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()
