#!/usr/bin/env python3
"""Computes the tiers of 300 random data sets, independently of the Rust code.

Run it with SciPy and NumPy. It writes `data_sets.json` beside itself and prints how many data sets each rule has:

    python3 crates/verdict/tests/tier_oracle/main.py

`tests/it/tier_oracle` feeds the same data sets to the analysis and compares tiers, reasons and numbers. A number that
depends on resampling is a band [low, high]: four standard errors of 10,000 resamples here and RESAMPLES there and, where
several intervals hold at once, all tails from Bonferroni's to a single interval's.

A data set is replaced by the next random one
- if a band that decides lies within 0.01 of its limit, or a p-value within 0.005 ("close");
- if the rules don't say what follows ("open": each `raise Open` names a question).

A run is a text. One character is a score of 1 + place in SCALE / 10 points, `_` a score that isn't planned; `!` at the end
is an earlier attempt that hit a time limit, `~` one that the API refused. Runs without scores: `(r` refused, `(t`
truncated, `(e` empty, `(l` limit reached, `(T` timed out, `(C` crashed.
"""

import collections
import itertools
import json
import pathlib
import sys

import numpy as np

from data_sets import KINDS, data_set
from rules import RESAMPLES, Close, Open, expected

SETS = 300


def stored(value):
    """Returns a value with fewer digits, and bands without width as numbers."""
    if isinstance(value, dict):
        return {key: stored(x) for key, x in value.items() if x is not None}
    if isinstance(value, list):
        items = [stored(x) for x in value]
        return items[0] if len(items) == 2 and isinstance(items[0], float) and items[0] == items[1] else items
    return round(float(value), 8) if isinstance(value, float) else value


def main(sets=SETS, start=0):
    lines, replaced, counts = [], collections.Counter(), collections.Counter()
    for place in range(start, start + sets):
        for attempt in itertools.count():
            rng = np.random.default_rng([place, attempt])
            data = data_set(rng, KINDS[place % len(KINDS)])
            try:
                data["expected"] = expected(data, rng)
                break
            except (Close, Open) as why:
                replaced[type(why).__name__.lower()] += 1
        for result in data["expected"]["treatments"]:
            counts.update([f"treatment {result['tier']}", *result["reasons"]])
            counts.update([f"not worse: {result['opens']}"] * data["notWorse"])
        counts.update(["data set " + data["expected"]["tier"], f"kind {data['kind']}"])
        data = {key: x for key, x in data.items() if key not in ("clusters", "capabilities") or any(x)}
        data.update(expected=stored(data["expected"]), runs=[" ".join(map(",".join, arm)) for arm in data["runs"]])
        lines.append(json.dumps(data, separators=(",", ":")))
    path = pathlib.Path(__file__).with_name("data_sets.json")
    path.write_text(f'{{"resamples":{RESAMPLES},"sets":[\n' + ",\n".join(lines) + "\n]}\n")
    print("replaced:", dict(replaced), *(f"{count:4} {name}" for name, count in sorted(counts.items())), sep="\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
