"""Counts lm-evaluation-harness samples_*.jsonl independently -> expected.json. Standard library only."""
import glob, json, os, re, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from tally import tally, write
def rows(f, arm):
    for l in open(f, encoding="utf-8"):
        r = json.loads(l)
        sc = {m + ("" if r["filter"] == "none" else "," + r["filter"]): float(r[m]) for m in r["metrics"]}
        main = sc.get("right", sc.get("exact_match,first", sc.get("exact_match,maj3")))
        yield {"arm": arm, "case": r["doc"]["id"], "trial": r["doc_id"], "filter": r["filter"], "scores": sc, "passed": main == 1.0, "error": False}
files, says = {}, {}
for kind in ("facts", "facts_em"):
    all_ = []
    for model in ("demo-small", "demo-large"):
        for arm in ("control", "treatment"):
            f = glob.glob(f"out/{model}/samples_{kind}_{arm}_2*.jsonl")[0]
            rs = list(rows(f, f"{arm} / {model}"))
            merged = {}
            for r in rs: merged.setdefault(r["case"], {**r, "scores": {}})["scores"].update(r["scores"])   # one line a filter: same case, not a repeat
            all_ += merged.values()
    files[f"samples_{kind}_*"] = tally(all_, "doc_hash (or doc.id, ours); doc_id only with an equal data set")
for f in sorted(glob.glob("out/*/results_*.json")):
    d = json.load(open(f)); says[d["model_name"]] = d["results"]
for t in files.values(): t["tool_says"] = says
write("expected.json", files)
