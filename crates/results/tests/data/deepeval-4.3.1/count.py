"""Counts DeepEval's test_run_*.json and its SQLite file independently -> expected.json. Standard library only."""
import glob, json, os, sqlite3, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from tally import tally, write
def rows(run):
    seen = {}
    arm = run["hyperparameters"]["arm"]
    for t in sorted(run["testCases"], key=lambda t: t["order"]):
        case = t["name"]; k = seen[case] = seen.get(case, -1) + 1
        sc, lost = {}, 0
        for m in t.get("metricsData") or []:
            sc[m["name"]] = m.get("score") if not m.get("error") else None
            lost += bool(m.get("error"))
        yield {"arm": arm, "case": case, "trial": k, "scores": sc, "passed": t["success"], "error": False, "missing_judge": lost}
load = lambda f: json.load(open(f, encoding="utf-8"))
files = {"results/ (both)": tally([r for f in sorted(glob.glob("results/*.json")) for r in rows(load(f))], "name (metadata.id; free)"),
         "latest_run_full-*.json": tally([r for a in ("control", "treatment") for r in rows(load(f"latest_run_full-{a}.json"))], "name")}
con = sqlite3.connect("file:results-sqlite/deepeval.db?mode=ro&immutable=1", uri=True)
files["results-sqlite/deepeval.db"] = tally([r for (p,) in con.execute("select payload_json from test_runs") for r in rows(json.loads(p))], "name")
write("expected.json", files)
