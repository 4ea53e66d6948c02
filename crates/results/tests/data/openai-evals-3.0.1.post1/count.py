"""Counts oaieval's record files independently -> expected.json. Standard library only."""
import json, os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from tally import tally, write
def read(f): return [json.loads(l) for l in open(f, encoding="utf-8")]
def rows(f, arm):
    answer = {}
    for e in read(f):
        if e.get("type") == "sampling": answer.setdefault(e["sample_id"], e["data"]["sampled"][0])   # the first sampling is the answer, the second the judge's
        if e.get("type") in ("match", "metrics"):
            err = answer[e["sample_id"]].startswith("[error HTTP")    # our completion fn's own mark
            lost = e["data"].get("choice") == "__invalid__"
            sc = {"accuracy": float(e["data"]["correct"])} if e["type"] == "match" else {"score": None if lost else e["data"]["score"]}
            yield {"arm": arm, "case": e["sample_id"].rsplit(".", 1)[1], "trial": 0, "scores": sc, "passed": None if lost else list(sc.values())[0] == 1.0, "error": err, "missing_judge": int(lost)}
files = {}
for p in ("", "judged-"):
    n = {a: f"{p}{a}.jsonl" for a in ("control", "treatment")}
    t = files[" + ".join(n.values())] = tally([r for a, f in n.items() for r in rows(f, a)], "number after the last dot of sample_id (row of the data set)")
    t["tool_says"] = {a: [e["final_report"] for e in read(f) if "final_report" in e][0] for a, f in n.items()}
write("expected.json", files)
