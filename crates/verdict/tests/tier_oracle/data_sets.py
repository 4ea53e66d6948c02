"""Random data sets that touch every rule."""

import itertools

import numpy as np

SCALE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcde"
CONTENT, LOST = ("(r", "(t", "(e", "(l"), ("(T", "(C")
KINDS = ["likert", "pass or fail", "hard", "rare falls", "skewed", "equal", "clusters", "cluster of fallers", "refused", "lost",
         "refused and lost", "asked again", "layers", "small layer", "capabilities", "dimensions", "treatments", "same", "same"]


def data_set(rng, kind):
    """Returns a random data set of a kind."""
    def pick(*values):
        return values[rng.integers(len(values))]

    n = int(pick(rng.integers(4, 20), *rng.integers(20, 60, 3), *rng.integers(60, 101, 3)))
    if kind in ("same", "capabilities", "dimensions", "small layer", "cluster of fallers"):
        n = int(rng.integers(30, 101) + 20 * (kind in ("same", "cluster of fallers")))
    repeats, gain = pick(1, 1, 1, 1, 2, 3), pick(-0.9, -0.4, 0, 0.3, 0.6, 0.9, 1.2)
    columns, clusters, capabilities = [["fact", None]], [None] * n, [[] for _ in range(n)]

    def likert(x):
        return np.clip(np.round(x), 1, 5)

    def tenths(x):
        return np.clip(np.round(x, 1), 1, 5)

    def drawn(shifts, centre=rng.uniform(2.5, 4.2), spread=0.6, noise=pick(0.1, 0.3, 0.6), scale=tenths):
        """Returns scores by arm, sample, repeat and column; `shifts` has those of each arm, in each column or in all."""
        shifts = np.array(shifts, dtype=float).reshape(len(shifts), 1, 1, -1)
        base = centre + spread * rng.normal(size=(1, n, 1, len(columns)))
        return scale(base + shifts + noise * rng.normal(size=(len(shifts), n, repeats, len(columns))))

    def paired(control, treated):
        return np.stack([control, treated])[:, :, None, None]

    scores = drawn([0, gain])
    if kind in ("likert", "clusters"):
        scores = drawn([0, gain], scale=likert)
        if kind == "clusters":
            clusters = [f"c{c}" for c in np.sort(rng.integers(0, int(n / rng.uniform(1, 2.5)) + 1, n))]
    elif kind in ("pass or fail", "hard"):
        control = rng.random(n) < (0.1 if kind == "hard" else rng.uniform(0.2, 0.9))
        fixed, broken = pick((0, 0), (0.02, 0.02), (0.3, 0), (0.25, 0.05), (0.05, 0.25), (0.6, 0), (0.3, 0.5))
        treated = np.where(control, rng.random(n) >= broken, rng.random(n) < fixed)
        scores = 1 + 4.0 * paired(control, treated)
    elif kind in ("rare falls", "skewed"):
        control = rng.uniform(2.2, 4, n)
        rare = pick(0.1, 0.2, 0.4, 0.7) + pick(0.05, 0.2) * rng.normal(size=n) - 3 * (rng.random(n) < pick(0, 0.05, 0.1))
        skewed = pick(0.5, 0.8, 1.1) - rng.exponential(0.5, n)
        scores = tenths(paired(control, control + pick(1, 1, -1) * (rare if kind == "rare falls" else skewed)))
    elif kind == "equal":
        control = tenths(rng.uniform(2.1, 4, n)) if rng.random() < 0.8 else np.ones(n)
        scores = tenths(paired(control, control + pick(0, 0, 0, 0.1, 0.5, 1, -0.5, -1)))
    elif kind == "cluster of fallers":
        many = max(2, int(n * pick(0.1, 0.25, 0.4)))
        clusters, scores = ["c"] * many + [None] * (n - many), drawn([0, pick(0.6, 0.6, 0.02)], centre=3, noise=pick(0.1, 0.2))
        scores[1, :many] = tenths(scores[0, :many] - pick(0.3, 0.8, 1.5, 2.2))
        scores = scores[:: pick(1, 1, -1)]
    elif kind in ("refused", "lost", "refused and lost", "asked again"):
        scores = drawn([0, pick(gain, 0.3, 0.5, 0.9, 0.02)], noise=pick(0.1, 0.3), centre=3)
    elif kind in ("layers", "small layer"):
        columns = [["behavior", None], ["fact", None], ["judge", None]]
        shift = [pick(0, 0.5, 0.9), pick(0, 0.4), pick(0.4, -0.3, -0.7, -1.2)]
        scores = drawn([[0, 0, 0], shift], centre=rng.uniform(3.4, 4.6))
        if kind == "small layer":
            small = pick(2, 3, 4, 5, 7)
            scores[:, small:, :, 2] = np.nan
            centres = np.array([4.0, pick(1.5, 2.5, 3.6)])[:, None, None]
            scores[:, :small, :, 2] = tenths(centres + 0.3 * rng.normal(size=(2, small, repeats)))
    elif kind == "capabilities":
        scores, many = drawn([0, pick(0, 0.02, 0.6, 0.9)], centre=3.6, noise=pick(0.1, 0.2), spread=0.3), pick(3, 4, 5, 8, 12)
        scores[1, :many] = tenths(scores[0, :many] - pick(0, 0.4, 1.2, 1.5) - 0.1 * abs(rng.normal(size=scores[0, :many].shape)))
        capabilities = [["first"]] * many + [pick([], ["second"], ["third", "second"]) for _ in range(n - many)]
    elif kind == "dimensions":
        columns += [["judge", name] for name in ("brief", "clear", "kind", "true")[: rng.integers(2, 5)]]
        shift = [pick(0, 0.6)] + [pick(0, 0.4, 0.8) for _ in columns[2:]] + [pick(0.3, -0.3, -0.8, -1.2)]
        scores = drawn([[0] * len(columns), shift], centre=3.9)
        if rng.random() < 0.5:
            small = pick(3, 4, 5)
            scores[:, small:, :, -1] = np.nan
            scores[1, :small, :, -1] = tenths(scores[0, :small, :, -1] - pick(0.5, 1.2, 1.5))
    elif kind == "treatments":
        scores = drawn([0] + [pick(gain, 0, 0.6, 0.9) for _ in range(pick(2, 3))], scale=pick(likert, tenths))
    else:
        scores = drawn([0, pick(0, 0, -0.06, 0.04)], noise=pick(0.08, 0.2, 0.4))
    runs = [[["".join("_" if np.isnan(x) else SCALE[round((x - 1) * 10)] for x in run) for run in sample]
             for sample in arm] for arm in scores]
    is_losing = kind in ("refused", "lost", "refused and lost") or rng.random() < 0.15
    refused, lost, again = is_losing * ("refused" in kind), is_losing * ("lost" in kind or "refused" not in kind), kind == "asked again"
    for arm in runs:
        share = pick(0, 0.02, 0.05, 0.1, 0.13)
        for sample, repeat in itertools.product(arm, range(scores.shape[2])):
            shares = [share * refused, share * lost / 2, share * again, 0.03 * again]
            event = rng.choice(5, p=shares + [1 - sum(shares)])
            sample[repeat] = [pick(*CONTENT), pick(*LOST), sample[repeat] + "!", sample[repeat] + "~", sample[repeat]][event]
    settings = {"minEffect": pick(0.2, 0.2, 0.3), "trivialDiff": pick(0.1, 0.1, 0.02, 0.3), "threshold": pick(3.5, 3, 1),
                "margin": pick(0.2, 0.2, 0.4)}
    return {"kind": kind, "notWorse": bool(rng.random() < (0.6 if kind == "same" else 0.15)), "settings": settings,
            "columns": columns, "clusters": clusters, "capabilities": capabilities, "runs": runs}
