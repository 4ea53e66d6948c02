"""Counts aggregate-result.json of `claude plugin eval` independently -> expected.json. Standard library only."""
import json, os, statistics, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from tally import tally, write
def rows(d):
    for c in d["cases"]:
        for arm, runs in c["arms"].items():
            for i, r in enumerate(runs):
                err = r["error"] is not None
                sc, lost, w, s = {}, 0, 0, 0.0
                for g in r["graders"]:
                    if not g["scored"]: continue
                    out = g["explanation"].startswith("grader threw:")
                    lost += out and not err
                    sc[g["name"]] = None if out else float(g["passed"])
                sc["score"] = None if lost else r["score"]
                yield {"arm": arm, "case": c["name"], "trial": i, "scores": sc, "passed": r["passed"], "error": err, "missing_judge": lost}
files = {}
for o in ("out-with-without", "out-one-arm"):
    f = f"{o}/aggregate-result.json"
    if not os.path.exists(f): continue
    d = json.load(open(f, encoding="utf-8")); files[f] = tally(rows(d), "case name (dir)")
    files[f]["tool_says"] = d.get("aggregates")
    if d["suite"].get("ablation") == "with-without":
        m = lambda c, a: statistics.fmean(r["score"] for r in c["arms"][a]); me = lambda c: any(r["error"] for a in c["arms"].values() for r in a)
        files[f]["checks"] = {"mean delta, all cases, errors as 0": statistics.fmean(m(c, "with") - m(c, "without") for c in d["cases"] if len(c["arms"]) == 2), "without cases that have an errored run": statistics.fmean(m(c, "with") - m(c, "without") for c in d["cases"] if len(c["arms"]) == 2 and not me(c)),
            "meanDelta as the file says": d["aggregates"]["meanDelta"], "cases whose delta is in the file": sum("delta" in c["aggregates"] and c["aggregates"]["delta"] is not None for c in d["cases"])}
        print(files[f]["checks"])
write("expected.json", files)
