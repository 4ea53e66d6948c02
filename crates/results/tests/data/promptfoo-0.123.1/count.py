"""Counts promptfoo's own files independently -> expected.json. Standard library only."""
import json, os, sqlite3, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from tally import tally, write

def leaf(g):
    """Component results without the assert-set parents (a set stands beside its own children)."""
    return [c for c in (g or {}).get("componentResults") or [] if c.get("assertion")]

def rows(results, arm_of):
    out, seen = [], {}
    for r in sorted(results, key=lambda r: (r["testIdx"], r["promptIdx"])):
        vars_ = {k: v for k, v in r["vars"].items()}
        case = vars_.get("id") or json.dumps(vars_, ensure_ascii=False, sort_keys=True)
        arm = arm_of(r)
        k = seen[(arm, case)] = seen.get((arm, case), -1) + 1
        g = r.get("gradingResult")
        lost = [c for c in leaf(g) if (c.get("metadata") or {}).get("graderError")]
        scores = {"score": r["score"], **(r.get("namedScores") or {})}
        for c in lost:
            m = c["assertion"].get("metric")
            if m: scores[m] = None                 # the tool wrote 0: a judge that gave no answer
        if lost: scores["score"] = None            # the tool's whole score counts the lost judge as 0
        out.append({"arm": arm, "case": case, "trial": k, "scores": scores, "passed": bool(r["success"]),
                    "error": r["failureReason"] == 2, "missing_judge": len(lost)})
    return out

def by_label(doc):
    ps = doc["results"]["prompts"]
    return lambda r: f"{ps[r['promptIdx']]['label'][:9].strip() if len(ps[r['promptIdx']]['label'])<20 else 'prompt'} / {ps[r['promptIdx']]['provider']}"

files = {}
for f in ("ab.json", "one-prompt.json", "odd.json"):
    d = json.load(open(f, encoding="utf-8"))
    files[f] = tally(rows(d["results"]["results"], by_label(d)), "vars (testIdx within one file)")
rs = [json.loads(l) for l in open("ab24.jsonl", encoding="utf-8")]
files["ab24.jsonl"] = tally(rows(rs, lambda r: f"{r['prompt']['label']} / {r['provider']['label']}"), "vars (testIdx within one file)")
for ext in ("json", "jsonl"):
    both = []
    for a in ("control", "treatment"):
        n = f"{a}-repeat3.{ext}"
        res = json.load(open(n, encoding="utf-8"))["results"]["results"] if ext == "json" else [json.loads(l) for l in open(n, encoding="utf-8")]
        both += rows(res, lambda r: a)
    files[f"control-repeat3.{ext} + treatment-repeat3.{ext}"] = tally(both, "vars; testIdx counts repeats too: 3 neighbours are one case")
con = sqlite3.connect("file:promptfoo.db?mode=ro&immutable=1", uri=True)
for (eid, desc, prompts) in con.execute("select id, description, prompts from evals"):
    ps = json.loads(prompts); res = []
    for t, p, tc, gr, ns, fr, ok, sc in con.execute("select test_idx,prompt_idx,test_case,grading_result,named_scores,failure_reason,success,score from eval_results where eval_id=? order by test_idx,prompt_idx", (eid,)):
        res.append({"testIdx": t, "promptIdx": p, "vars": json.loads(tc)["vars"], "gradingResult": json.loads(gr) if gr else None, "namedScores": json.loads(ns or "{}"), "failureReason": fr, "success": bool(ok), "score": sc})
    files[f"promptfoo.db {desc}"] = tally(rows(res, lambda r: f"{ps[r['promptIdx']]['label']} / {ps[r['promptIdx']]['provider']}"))
write("expected.json", files)
