"""Counts JUnit XML independently -> expected.json. Standard library only."""
import os, re, sys, xml.etree.ElementTree as ET
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from tally import tally, write
def rows(path, arm):
    seen = {}
    for tc in ET.parse(path).getroot().iter("testcase"):
        name = tc.get("classname") + "::" + tc.get("name")
        case = re.sub(r"-(\d+)\]$", "]", name)          # test_fact[c01-0]: the repeat is the last part of the id
        k = seen[case] = seen.get(case, -1) + 1
        kids = {x.tag for x in tc}
        props = {p.get("name"): p.get("value") for p in tc.iter("property")}
        sc = {"score": float(props["score"])} if "score" in props else {}
        err, skip, fail = "error" in kids, "skipped" in kids, "failure" in kids
        yield {"arm": arm, "case": case, "trial": k, "scores": {} if skip else sc, "passed": None if skip else not fail, "error": err, "missing_judge": 0}
files = {}
for suffix in ("", "-repeat3"):
    fs = {a: f"{a}{suffix}.xml" for a in ("control", "treatment")}
    files[" + ".join(fs.values())] = tally([r for a, f in fs.items() for r in rows(f, a)], "classname + name (with the repeat number cut off)")
write("expected.json", files)
