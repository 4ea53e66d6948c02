"""Counts promptfoo's own files independently -> expected.json. Standard library only."""
import json, os, sys
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
d = json.load(open("ab.json", encoding="utf-8"))
files["ab.json"] = tally(rows(d["results"]["results"], by_label(d)), "vars (testIdx within one file)")
write("expected.json", files)
