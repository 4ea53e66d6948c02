"""The rules of the verdict, written down anew: from the runs of a data set to what a report should say."""

import collections
import itertools

import numpy as np
from scipy import stats

from data_sets import CONTENT, LOST, SCALE

RESAMPLES, KAPPA = 1000, 0.05
TIERS = ["REGRESS", "CAUTIOUS", "UNDERPOWERED", "NOISE", "PROGRESS"]


class Close(Exception):
    """A number that decides is too close to its limit."""


class Open(Exception):
    """The rules leave open what follows."""


def above(band, limit, margin=0.01):
    if limit - margin <= band[1] and band[0] <= limit + margin:
        raise Close
    return band[0] > limit


def rounded(x):
    return round(float(x), 12) + 0.0


def mean(values):
    present = [x for x in values if x is not None]
    return rounded(np.mean(present)) if present else None


# --- statistics

class Difference:
    """The mean of the differences of tasks, {task: difference}."""

    def __init__(self, tasks):
        self.d = np.array([tasks[task] for task in sorted(tasks)])
        self.n, self.mean = len(self.d), mean(self.d)
        self.sd = rounded(np.std(self.d, ddof=1)) if self.n > 1 else None
        self.degenerate = self.n > 1 and min(self.d) == max(self.d)
        self.p = self.low = self.high = None

    def set_bounds(self, tails, rng):
        """Takes the farther of Student's bound, moved by skewness, and the expanded percentile's."""
        n, m, s = self.n, self.mean, self.sd
        if n < 2 or self.degenerate:
            self.low = self.high = None if n < 2 else [m, m]
            return
        resampled = np.sort(self.d[rng.integers(0, n, (10_000, n))].mean(axis=1))
        skewness = stats.skew(self.d, bias=False) if n > 2 else 0.0
        lows, highs = [], []
        for tail in tails:
            t = stats.t.ppf(1 - tail, n - 1)
            k = s * skewness * (2 * t * t + 1) / (3 * n)
            low, high = m - t * s / n**0.5 + min(k, 0), m + t * s / n**0.5 + max(k, 0)
            p = stats.norm.cdf(-((n / (n - 1)) ** 0.5) * t)
            error = 4 * (p * (1 - p) * (1 / 10_000 + 1 / RESAMPLES)) ** 0.5
            for p in np.clip([p - error, p + error], 0, 1):
                lows.append(max(-4, min(low, np.quantile(resampled, p))))
                highs.append(min(4, max(high, np.quantile(resampled, 1 - p))))
        self.low, self.high = [min(lows), max(lows)], [min(highs), max(highs)]

    def side(self, least_loss, min_effect):
        """Returns where the interval lies; fewer than 6 pairs show nothing."""
        if self.n < 6:
            return "wide"
        if self.degenerate:
            if above([self.p, self.p], 0.05, 0.005):
                return "inside" if abs(self.mean) <= min_effect and self.n >= 20 else "wide"
            if -least_loss < self.mean < 0:
                raise Open  # whether a small loss that all samples share is one
            return "above" if self.mean > 0 else "below"
        if above(self.low, 0):
            return "above"
        if self.mean <= -least_loss and not above(self.high, 0):
            return "below"
        return "inside" if above(self.low, -min_effect) and not above(self.high, min_effect) else "wide"


def sign_flip(d, rng):
    if min(d) == max(d):
        return 1.0 if d[0] == 0 else 2.0 ** (1 - len(d))
    signs = rng.choice([-1, 1], (20_000, len(d))) if len(d) > 12 else np.array([*itertools.product([-1, 1], repeat=len(d))])
    return float(np.mean(abs(signs @ d) >= abs(sum(d)) - 1e-9))


def family(columns, rng):
    """Returns differences with intervals that hold at once, and with Holm's p-values where one is without spread."""
    members = [Difference(column) for column in columns]
    spread = max(1, sum(diff.n > 1 and not diff.degenerate for diff in members))
    for diff in members:
        diff.set_bounds({0.025 / spread, 0.025}, rng)
    largest = 0.0
    if any(diff.degenerate for diff in members):
        by_p = sorted((sign_flip(diff.d, rng), place) for place, diff in enumerate(members) if diff.n)
        for rank, (p, place) in enumerate(by_p):
            members[place].p = largest = max(largest, min(1.0, p * (len(by_p) - rank)))
    return members


def unseen(m, s, n, x):
    """Returns the chance of a test set like this one though the truth is -x, for the worst kind that no sample shows."""
    z = np.arange(-60, 121) / 20 if s else np.array([np.inf])
    others = 4 + m + (z * s / n**0.5 if s else 0)
    share = np.where(others > 4 - x, (4 - x) / np.maximum(others, 1e-9), 1.0)
    return float(max(share**n * stats.norm.cdf(z)))


# --- a data set

class Measured:
    """Scores of the arms of a data set; the control is arm 0."""

    def __init__(self, data):
        self.columns, self.runs = data["columns"], data["runs"]
        self.tasks = [name or f"s{i:03}" for i, name in enumerate(data["clusters"])]

    def score(self, run, part=None):
        """Returns a run's score in a layer, in a column (a judged dimension), or over all layers."""
        points = [None if c == "_" else 1 + SCALE.index(c) / 10 for c in run.rstrip("!~")]
        if isinstance(part, int):
            return points[part]
        layers = {layer: mean(x for (name, _), x in zip(self.columns, points) if name == layer) for layer, _ in self.columns}
        return layers[part] if part else mean(layers.values())

    def scores(self, arm, part=None, content=None, lost=None):
        """Returns the mean of each sample's repeats; `content` and `lost` are the scores of runs that have none."""
        replaced = {**dict.fromkeys(CONTENT, content), **dict.fromkeys(LOST, lost)}
        return [mean(replaced[run] if run in replaced else self.score(run, part) for run in runs) for runs in self.runs[arm]]

    def by_task(self, scores, only=None):
        groups = collections.defaultdict(list)
        for i, x in enumerate(scores):
            if x is not None and (only is None or i in only):
                groups[self.tasks[i]].append(x)
        return {task: mean(values) for task, values in groups.items()}

    def differences(self, arm, part=None, content=None, lost=(None, None)):
        scores = zip(self.scores(0, part, content, lost[0]), self.scores(arm, part, content, lost[1]))
        return [None if None in pair else rounded(pair[1] - pair[0]) for pair in scores]

    def count(self, arm, endings):
        return sum(run in endings for runs in self.runs[arm] for run in runs)

    def again(self, arm):
        """Returns sample and score of the answers that were asked for again in a way that may select."""
        return [(i, self.score(run)) for i, runs in enumerate(self.runs[arm]) for run in runs if "!" in run]

    def redrawn(self, arm, excess):
        """Returns what the mean moves by if the highest of these answers, `excess` of them, had scored 1 at first."""
        cells = sorted(self.again(arm), key=lambda cell: -cell[1])
        candidates = [self.tasks[i] for i, points in cells if points >= cells[excess - 1][1]]
        if len(set(candidates)) < len(candidates):
            raise Open  # whether two answers of one task are one square or two
        if any(run in CONTENT + LOST for i, _ in cells for run in self.runs[arm][i]):
            raise Open  # what an answer weighs whose repeat is missing
        size = collections.Counter(self.tasks)
        weights = {i: 1 / (len(self.runs[arm][i]) * size[self.tasks[i]] * len(size)) for i, _ in cells}
        if len(set(weights.values())) > 1 and len(candidates) > excess:
            raise Open  # which of equal answers count
        return [(points - 1) * weights[i] for i, points in cells[:excess]]


def starred(measured, arm, base, column):
    """Returns the bounds of `base` with the worst and the best for runs that were lost or asked again."""
    excess = len(measured.again(arm)) - len(measured.again(0))
    redrawn = [-x for x in measured.redrawn(arm, excess)] if excess > 0 else [], measured.redrawn(0, -excess) if excess < 0 else []
    bounds = []
    for sign, band, lost, x in zip((-1, 1), (base.low, base.high), ((5, 1), (1, 5)), redrawn):
        if measured.count(0, LOST) + measured.count(arm, LOST):
            seen = measured.by_task(column)
            imputed = measured.by_task(measured.differences(arm, content=1, lost=lost))
            x = x + [(d - seen.get(task, base.mean)) / len(imputed) for task, d in imputed.items()]
        reach = [((base.mean - bound) ** 2 + 1.96**2 * sum(by * by for by in x)) ** 0.5 for bound in band]
        bounds.append([base.mean + sum(x) + sign * by for by in reach])
    return bounds


def parts_of(data, measured, arms, rng):
    """Returns {(arm, name): (difference, its largest)} of layers, capabilities and dimensions."""
    layers = sorted({layer for layer, _ in data["columns"]})
    members = {name: {i for i, names in enumerate(data["capabilities"]) if name in names}
               for name in sorted(set(sum(data["capabilities"], [])))}
    families = [
        {(arm, layer): measured.by_task(measured.differences(arm, layer)) for arm in arms for layer in layers},
        {(arm, name): measured.by_task(measured.differences(arm), only) for arm in arms for name, only in members.items()},
        {(arm, name): measured.by_task(measured.differences(arm, place))
         for arm in arms for place, (_, name) in enumerate(data["columns"]) if name},
    ]
    if members and any(measured.count(arm, CONTENT) for arm in (0, *arms)):
        raise Open  # what a capability has where nothing was answered
    for parts in families:
        large = [key for key in parts if len(parts[key]) >= 6]
        together = dict(zip(large, family([parts[key] for key in large], rng)))
        for key, tasks in parts.items():
            parts[key] = together.get(key, Difference(tasks)), max(tasks.values(), default=0)
    return families


# --- the verdict

def expected(data, rng):
    """Returns what a report should say."""
    measured, arms = Measured(data), range(1, len(data["runs"]))
    columns = [[measured.differences(arm, content=content) for arm in arms] for content in (None, 1)]
    composites, floors = [family([measured.by_task(column) for column in content], rng) for content in columns]
    families = parts_of(data, measured, arms, rng)
    treatments = []
    for arm, diff, floor in zip(arms, composites, floors):
        has_floor = measured.count(0, CONTENT) + measured.count(arm, CONTENT) > 0
        parts = [{name: parts[arm, name] for name in sorted({name for _, name in parts})} for parts in families]
        column = columns[has_floor][arm - 1]
        treatments.append(treatment(data, measured, arm, diff, floor if has_floor else None, column, parts))
    return {"tier": min((result["tier"] for result in treatments), key=TIERS.index), "treatments": treatments}


def treatment(data, measured, arm, diff, floor, column, parts):
    """Returns tier, reasons and numbers of one treatment."""
    delta, trivial, gate, margin = (data["settings"][name] for name in ("minEffect", "trivialDiff", "threshold", "margin"))
    n, m, s = diff.n, diff.mean, diff.sd
    least_loss = max(0.005, min(trivial, 0.1))
    pairs = measured.differences(arm)
    over = mean(pairs)
    rooms = [mean(measured.by_task([x if d is not None else None for x, d in zip(measured.scores(side), pairs)]).values()) - 1
             for side in (0, arm)]
    layer_means = {name: mean(measured.by_task(measured.scores(arm, name)).values()) for name in parts[0]}
    low_star, high_star = starred(measured, arm, floor or diff, column)
    again = [len(measured.again(side)) for side in (0, arm)]
    could_turn = measured.count(0, LOST) + measured.count(arm, LOST) > 0 or again[0] > again[1]
    too_many_missing = any(measured.count(side, CONTENT + LOST) * 10 > sum(map(len, measured.runs[side])) for side in (0, arm))
    fallen = set()
    for kind, of_kind in zip(("layer", "capability", "dimension"), parts):
        for part, largest in of_kind.values():
            # the only layer is the whole
            if part.n >= 6 and len(of_kind) + (kind != "layer") > 1 and part.side(0.005, delta) == "below":
                fallen.add(f"doubt-{kind}-fell")
            elif part.n >= 6 and kind != "layer" and largest <= -1:
                raise Open  # whether a fall of every sample is one where no interval shows it
            elif 3 <= part.n < 6 and largest <= -1:
                fallen.add(f"doubt-{kind}-collapsed")
    risk = {"noGain": unseen(m, s, n, 0), "noLoss": unseen(-m, s, n, 0), "worse": unseen(m, s, n, delta),
            "better": unseen(-m, s, n, delta), "worseThanMargin": unseen(m, s, n, margin) if data["notWorse"] else None}

    side = diff.side(least_loss, delta)
    layer_below = any(layer_means[name] < gate and part.side(least_loss, delta) == "below" for name, (part, _) in parts[0].items())
    if n < 6:
        tier, reasons = "UNDERPOWERED", {"why-few-pairs"}
    elif side == "below":
        tier, reasons = "REGRESS", named({"why-loss-unseen": risk["noLoss"] > 0.1, "why-loss-of-clusters": over != m and over >= 0,
                                          "why-loss-lost": could_turn and above(high_star, 0)})
    elif layer_below:
        tier, reasons = "REGRESS", {"why-layer-below"}
    elif side == "above":
        reasons = fallen | named({
            "doubt-trivial": m < trivial, "doubt-pairs": n < 20, "doubt-unseen": risk["noGain"] > KAPPA,
            "doubt-missing": floor is not None and floor.side(least_loss, delta) != "above" or not above(low_star, 0),
            "doubt-gain-of-clusters": over != m and over < max(trivial, m / 2),
            "doubt-layer": any(x < gate for x in layer_means.values()), "alarm-missing": too_many_missing})
        tier = "CAUTIOUS" if reasons else "PROGRESS"
    elif side == "inside":
        bands = [(low_star, high_star)] + ([(floor.low, floor.high)] if floor else [])
        reasons = named({
            "doubt-missing": not all(above(low, -delta) and not above(high, delta) for low, high in bands),
            "doubt-unseen-difference": max(risk["worse"], risk["better"]) > KAPPA,
            "doubt-nothing-to-lose": min(rooms) < 2 * delta, "doubt-clusters-hide": abs(over) > delta})
        tier = "UNDERPOWERED" if reasons else "CAUTIOUS" if fallen else "NOISE"
        if tier != "UNDERPOWERED":
            reasons = fallen | named({"why-small-loss": not diff.degenerate and not above(diff.high, 0)})
    else:
        tier, reasons = "UNDERPOWERED", set()
    opens = None
    if data["notWorse"]:
        if too_many_missing:
            raise Open  # whether that keeps the gate shut
        opens = bool(n >= 20 and above(low_star, -margin) and (floor is None or above(floor.low, -margin)) and not fallen
                     and risk["worseThanMargin"] <= KAPPA and rooms[0] >= 2 * margin and over > -margin)
    needed = next((N for N in range(n, 2000) if unseen(m, s, N, 0) <= KAPPA), None) if m > 0.02 else None
    return {
        "tier": tier, "reasons": sorted(reasons), "opens": opens, "n": n, "mean": m, "low": diff.low, "high": diff.high,
        "overSamples": over, "p": diff.p if diff.degenerate and n <= 20 and len(measured.runs) == 2 else None,
        "risk": risk, "needed": needed, "rooms": dict(zip(("control", "treatment"), rooms)),
        "floor": floor and {"n": floor.n, "mean": floor.mean, "low": floor.low, "high": floor.high},
        "lowStar": low_star, "highStar": high_star, "again": again, "layerMeans": layer_means,
        "parts": [{name: {"n": part.n, "mean": part.mean, "low": part.low, "high": part.high}
                   for name, (part, _) in of_kind.items() if part.n >= 6 and len(of_kind) > 1} for of_kind in parts],
    }


def named(conditions):
    return {name for name, holds in conditions.items() if holds}
