"""Counts waza's result files independently -> expected.json, and recomputes what its own summary says. Standard library only."""
import json, math, os, statistics, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from tally import tally, write

def weighted(validations):
    weights = [v["weight"] if v["weight"] > 0 else 1.0 for v in validations]
    return math.fsum(v["score"] * w for v, w in zip(validations, weights)) / math.fsum(weights) if validations else 0.0

def mute(v):  # a judge that called neither of the two tools: scored 0 by the tool
    return v["type"] == "prompt" and v.get("details", {}).get("passes") == "" and v["details"].get("failures") == ""

def rows(outcome, arm):
    for t in outcome["tasks"]:
        for r in t["runs"]:
            vs = list((r["validations"] or {}).values())
            grading = r.get("error_msg", "").startswith("running graders: ")
            error = r["status"] == "error" and not grading
            if not vs and not error and not grading: continue  # no graders at all: passes unchecked
            lost = grading + sum(map(mute, vs))
            names = [v["identifier"] for v in vs] or ["value", "short", "form"]
            sc = {n: None for n in names} if grading else {v["identifier"]: None if mute(v) else v["score"] for v in vs}
            sc["weighted_score"] = None if lost else weighted(vs)
            sc["score"] = None if lost else statistics.fmean(v["score"] for v in vs) if vs else None
            sc["pass"] = None if lost else float(r["status"] == "passed")
            yield {"arm": arm, "case": t["test_id"], "trial": r["run_number"], "scores": sc, "passed": None if lost else r["status"] == "passed", "error": error, "missing_judge": lost}

def own(outcome):
    """What the tool's summary and stats say, recomputed by its rules: every run counts, errors and runs without graders as 0 (and as passed in `pass_rate`)."""
    cases = {}
    for t in outcome["tasks"]:
        vs = [list((r["validations"] or {}).values()) for r in t["runs"]]
        cases[t["test_id"]] = {"avg_weighted_score": statistics.fmean(map(weighted, vs)), "avg_score": statistics.fmean(statistics.fmean(x["score"] for x in v) if v else 0.0 for v in vs),
                               "pass_rate": statistics.fmean(float(all(x["passed"] for x in v)) for v in vs)}
        for k, x in cases[t["test_id"]].items(): assert abs(t["stats"][k] - x) < 1e-9, (t["test_id"], k, t["stats"][k], x)
    s = outcome["summary"]
    for k, of in (("weighted_score", "avg_weighted_score"), ("aggregate_score", "avg_score")): assert abs(s[k] - statistics.fmean(c[of] for c in cases.values())) < 1e-9, k
    assert s["succeeded"] == sum(all(r["status"] == "passed" for r in t["runs"]) for t in outcome["tasks"])
    return {k: s[k] for k in ("total_tests", "succeeded", "failed", "errors", "success_rate", "aggregate_score", "weighted_score")}

load = lambda f: json.load(open(f, encoding="utf-8"))
files = {}
for f in ("baseline.json", "once.json", "retried.json"):
    d = load(f)
    files[f] = tally([*rows(d["baseline_outcome"], "baseline"), *rows(d, "with_skill")], "test_id (and run_number for the repeat)")
    files[f]["tool_says"] = {"with_skill": own(d), "baseline": own(d["baseline_outcome"])}
pair = ("models_demo-small.json", "models_demo-large.json")
files[" + ".join(pair)] = tally([r for f in pair for r in rows(load(f), load(f)["config"]["model_id"])], "test_id (and run_number for the repeat)")
files[" + ".join(pair)]["tool_says"] = {load(f)["config"]["model_id"]: own(load(f)) for f in pair}
write("expected.json", files)
