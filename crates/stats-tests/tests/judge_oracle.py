"""Writes data/judge_oracle.json: what other people's packages say of judges' scores, for tests/it/judge_oracle.rs.

    pip install krippendorff==0.9.0 scikit-learn==1.9.1 ppi-python==0.2.3 statsmodels==0.15.0 choix==0.4.1 \
        scipy==1.17.1 numpy==2.4.6
    python tests/judge_oracle.py

Deterministic: the only random numbers are NumPy's PCG64 with fixed seeds.
"""

import json
import math
import warnings
from importlib.metadata import version
from pathlib import Path

import choix
import krippendorff
import numpy as np
import statsmodels.api as sm
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from scipy import stats
from sklearn.metrics import cohen_kappa_score

warnings.simplefilter("ignore")
rng = np.random.default_rng(20250311)
PACKAGES = ["krippendorff", "scikit-learn", "ppi-python", "statsmodels", "choix", "scipy", "numpy"]


def likert(x):
    return np.clip(np.round(x), 1, 5)


def rated(units, raters, blur, missing=0.0, repeats=1):
    """Units by raters: means of `repeats` scores of one latent value, some of them missing."""
    latent = rng.normal(3, 1.1, (units, 1, 1))
    scores = likert(latent + blur * rng.normal(size=(units, raters, repeats))).mean(axis=2)
    scores[rng.random((units, raters)) < missing] = np.nan
    return scores


def alphas():
    # Krippendorff 2011, section "any number of observers, missing data", observers in rows; ordinal alpha 0.815
    nan = np.nan
    published = np.array([[1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan], [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
                          [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan], [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan]]).T
    data = {
        "published": published,
        "two raters": rated(20, 2, 0.6),
        "three raters": rated(50, 3, 0.9),
        "missing": rated(40, 4, 0.7, 0.4),
        "mostly missing": rated(30, 5, 0.7, 0.8),
        "thirds": rated(25, 2, 0.8, 0.1, 3),
        "halves of many raters": rated(15, 9, 1.0, 0.2, 2),
        "continuous": rng.normal(size=(30, 3)),
        "against each other": np.array([[1, 5], [5, 1], [2, 4], [4, 2], [1, 4.5]]),
        "one unit that differs": np.array([[2, 4]]),
        "one unit of three": np.array([[2, 4, 4], [nan, 1, nan]]),
        "one rater constant": np.column_stack([np.full(12, 4.0), likert(rng.normal(3, 1, 12))]),
        "all ties but one": np.array([[3, 3]] * 15 + [[3, 4]]),
        "large": rated(1000, 3, 0.8, 0.1),
        "constant": np.full((6, 2), 4.0),
        "constant where paired": np.array([[4, 4], [4, 4], [1, nan]]),
        "no pairs": np.array([[1, nan], [nan, 2], [3, nan]]),
    }
    for name, ratings in data.items():
        row = dict(name=name, ratings=[[None if math.isnan(x) else x for x in unit] for unit in ratings.tolist()])
        try:
            value = float(krippendorff.alpha(ratings.T, level_of_measurement="ordinal"))
            row |= dict(undefined="no-variance") if math.isnan(value) else dict(alpha=value)
        except ValueError as error:
            row |= dict(undefined="no-variance" if "more than one value" in str(error) else "too-few", said=str(error))
        yield row


def resampled_alphas():
    """Percentile bounds over units, by NumPy's draws and the package's alpha: the test allows Monte-Carlo error."""
    for ratings in (rated(20, 2, 0.6), rated(30, 3, 1.0, 0.15, 2)):
        ratings = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
        alpha = lambda unit: krippendorff.alpha(ratings[unit].T, level_of_measurement="ordinal")
        drawn = [alpha(rng.integers(0, len(ratings), len(ratings))) for _ in range(10_000)]
        yield dict(ratings=[[None if math.isnan(x) else x for x in unit] for unit in ratings.tolist()],
                   percentile=np.quantile(drawn, [0.025, 0.975], method="weibull").tolist())


def pairs():
    """Quadratic kappa by scikit-learn (thirds as whole numbers, every label listed); Pearson by SciPy."""
    def columns():
        for n, blur in ((2, 0.5), (10, 0.5), (40, 0.9), (200, 1.5)):
            latent = rng.normal(3, 1, n)
            yield 1, likert(latent + blur * rng.normal(size=n)), likert(latent + 0.4 + blur * rng.normal(size=n))
        yield 1, np.array([1, 2, 3, 4, 5]), np.array([5, 4, 3, 2, 1])
        yield 1, np.array([1, 2, 3, 4, 4]), np.array([1, 2, 3, 4, 4])
        for n in (12, 60):
            both = rated(n, 2, 0.8, 0, 3)
            yield 3, both[:, 0], both[:, 1]
        yield 1, np.full(5, 4), np.array([4, 3, 5, 4, 4])
        yield 1, np.full(5, 4), np.full(5, 4)
        yield 1, np.full(5, 4), np.full(5, 3)

    for parts, a, b in columns():
        row = dict(a=a.tolist(), b=b.tolist(), mean_absolute_difference=float(np.mean(np.abs(a - b))))
        if np.ptp(a) == 0 or np.ptp(b) == 0:
            yield row | dict(undefined="no-variance")
            continue
        whole = lambda x: np.round(x * parts).astype(int)
        kappa = cohen_kappa_score(whole(a), whole(b), weights="quadratic", labels=list(range(parts, 5 * parts + 1)))
        yield row | dict(kappa=float(kappa), pearson=float(stats.pearsonr(a, b).statistic))


def small_sample(y, f, u, lam, level):
    """The interval for few labels, from its formula."""
    n, rest = len(y), len(u)
    e = y - lam * f
    if lam == 0:
        variance, df = np.var(y, ddof=1) / n, n - 1
    else:
        sigma2 = np.sum((e - e.mean()) ** 2) / (n - 2)
        sxx = np.sum((f - f.mean()) ** 2)
        variance, df = (lam ** 2 * np.var(u, ddof=1) / rest + sigma2 / n
                        + sigma2 * (f.mean() - u.mean()) ** 2 / ((1 + n / rest) ** 2 * sxx)), n - 2
    estimate = e.mean() + lam * u.mean()
    low, high = stats.t.interval(level, df, loc=estimate, scale=math.sqrt(variance))
    return dict(low=float(low), high=float(high), effective_n=float(np.var(y, ddof=1) / n / variance * n))


def powered():
    def data():
        for n, rest, blur in ((5, 20, 0.5), (10, 40, 0.6), (20, 80, 0.8), (50, 150, 1.5), (30, 5, 0.5), (20, 2000, 0.3)):
            latent = rng.normal(0.3, 1, n + rest)
            human, judge = np.round(latent), np.round(latent + 0.5 + blur * rng.normal(size=n + rest))
            yield human[:n], judge[:n], judge[n:]
        thirds = rng.integers(-6, 7, 40) / 3
        yield thirds[:15], (thirds * 0.6 + rng.normal(0.5, 0.3, 40))[:15], (thirds * 0.6 + 0.5)[15:]
        steep = rng.normal(size=200)
        yield 3 * steep[:20], steep[:20], steep[20:]  # lambda held at 1
        yield -steep[:20], steep[:20], steep[20:]  # lambda held at 0

    for y, f, u in data():
        for level in (0.8, 0.95):
            low, high = ppi_mean_ci(y, f, u, alpha=1 - level)
            # the package keeps lambda to itself; at two fixed values the estimate gives it away
            at = lambda lam: np.ravel(ppi_mean_pointestimate(y, f, u, lam=lam))[0]
            estimate = np.ravel(ppi_mean_pointestimate(y, f, u))[0]
            lam = (estimate - at(0)) / (at(1) - at(0))
            yield dict(human=y.tolist(), judge=f.tolist(), unlabelled=u.tolist(), level=level, estimate=float(estimate),
                       asymptotic=[float(np.ravel(low)[0]), float(np.ravel(high)[0])], lam=float(lam),
                       **small_sample(y, f, u, 0.0 if abs(lam) < 1e-12 else lam, level))


def lines():
    for n in (6, 7, 12, 30, 200):
        for length in (rng.normal(100, 300, n), np.round(np.exp(rng.normal(4, 1, n)))):
            d = 0.2 + 0.001 * length + rng.normal(size=n) * (0.5 + np.abs(length) / 400)
            z = length / np.std(length, ddof=1)
            for level in (0.9, 0.95):
                fit = sm.OLS(d, sm.add_constant(z)).fit(cov_type="HC3", use_t=True)
                ci = fit.conf_int(1 - level)
                yield dict(d=d.tolist(), length=length.tolist(), level=level, intercept=float(fit.params[0]),
                           slope=float(fit.params[1]), of_intercept=ci[0].tolist(), of_slope=ci[1].tolist())


def zermelo(points, rounds=200_000):
    """Log strengths by the fixed-point iteration of Zermelo (1929) and Hunter (2004)."""
    met, strength = points + points.T, np.ones(len(points))
    for _ in range(rounds):
        new = points.sum(axis=1) / (met / (strength[:, None] + strength)).sum(axis=1)
        new /= np.exp(np.log(new).mean())
        done = np.max(np.abs(np.log(new / strength))) < 1e-16
        strength = new
        if done:
            break
    return np.log(strength)


def comparisons(items, count, spread, tie):
    quality = np.linspace(-spread, spread, items)
    for _ in range(count):
        a, b = rng.choice(items, 2, replace=False)
        if rng.random() < tie:
            yield int(a), int(b), "tie"
        else:
            yield int(a), int(b), "first" if rng.random() < 1 / (1 + math.exp(quality[b] - quality[a])) else "second"


def tournaments():
    for items, count, spread, tie in ((2, 12, 0.3, 0), (2, 30, 1, 0.3), (3, 30, 0.7, 0.1), (4, 60, 1, 0), (6, 200, 1.5, 0.2),
                                      (10, 400, 2, 0.05), (5, 20, 0.2, 0.9)):
        played = list(comparisons(items, count, spread, tie))
        points, doubled = np.zeros((items, items)), []
        for a, b, outcome in played:
            for winner, loser in ((a, b), (b, a)):
                half = {"tie": 1, "first": 2 * (winner == a), "second": 2 * (winner == b)}[outcome]
                points[winner, loser] += half / 2
                doubled += [(winner, loser)] * half
        by_points = zermelo(points)
        by_choix = choix.opt_pairwise(items, doubled, alpha=0, tol=1e-12, max_iter=10_000)
        assert np.allclose(by_points, by_choix - by_choix.mean(), atol=1e-7), (by_points, by_choix)
        yield dict(items=items, played=played, choix=(by_choix - by_choix.mean()).tolist(), zermelo=by_points.tolist())


def main():
    tables = dict(alpha=alphas, resampled_alpha=resampled_alphas, pairs=pairs, ppi=powered, line=lines,
                  tournament=tournaments)
    out = dict(versions={p: version(p) for p in PACKAGES})
    out.update({name: list(make()) for name, make in tables.items()})
    path = Path(__file__).parent / "data" / "judge_oracle.json"
    lines_of = [f"{json.dumps(k)}: {json.dumps(v)}" if k == "versions" else
                f"{json.dumps(k)}: [\n" + ",\n".join(json.dumps(row, allow_nan=False) for row in v) + "\n]"
                for k, v in out.items()]
    path.write_text("{\n" + ",\n".join(lines_of) + "\n}\n")


main()
