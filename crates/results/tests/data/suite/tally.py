"""Shared by every count.py here: rows -> expected.json. Own work, standard library only.

A row: {"arm", "case", "trial", "scores": {name: number or None}, "passed": True/False/None,
        "error": bool (infrastructure: no answer), "missing_judge": count of judge scores that
        the tool could not get}. A None score is counted as missing, not as 0.
"""
import json, statistics

def tally(rows, pair_by="case id"):
    arms, cases = {}, {}
    for r in rows:
        a = arms.setdefault(r["arm"], {"cases": set(), "trials": 0, "passes": 0, "failures": 0, "ungraded": 0, "errors": 0, "missing_judge": 0, "scores": {}})
        a["cases"].add(r["case"]); a["trials"] += 1
        if r["error"]: a["errors"] += 1
        elif r["passed"] is None: a["ungraded"] += 1
        elif r["passed"]: a["passes"] += 1
        else: a["failures"] += 1
        a["missing_judge"] += r.get("missing_judge", 0)
        c = cases.setdefault(r["case"], {}).setdefault(r["arm"], {"trials": 0, "errors": 0, "passes": 0, "missing_judge": 0, "scores": {}})
        c["trials"] += 1; c["errors"] += bool(r["error"]); c["passes"] += bool(r["passed"]) and not r["error"]; c["missing_judge"] += r.get("missing_judge", 0)
        if not r["error"]:
            for n, v in r["scores"].items():
                for t in (a, c): t["scores"].setdefault(n, []).append(v)
    def fold(s):
        out = {}
        for n, v in sorted(s.items()):
            ok = [float(x) for x in v if x is not None]
            out[n] = {"n": len(ok), "missing": len(v) - len(ok), "mean": round(statistics.fmean(ok), 6) if ok else None}
        return out
    for a in arms.values(): a["cases"] = len(a["cases"]); a["scores"] = fold(a["scores"])
    for c in cases.values():
        for x in c.values(): x["scores"] = fold(x["scores"])
    names = list(arms)
    both = [c for c, x in cases.items() if len(x) == len(names)]
    return {"arms": arms, "pairing": {"by": pair_by, "arms": names, "cases_in_all_arms": len(both),
            "cases_answered_in_all_arms": sum(all(x["trials"] > x["errors"] for x in cases[c].values()) for c in both)}, "cases": cases}

def write(path, files):
    json.dump({"files": files}, open(path, "w", encoding="utf-8"), ensure_ascii=False, indent=1, sort_keys=False)
    for f, t in files.items():
        print("==", f)
        for n, a in t["arms"].items():
            print("  ", n, {k: v for k, v in a.items() if k != "scores"}, {k: v["mean"] for k, v in a["scores"].items()})
