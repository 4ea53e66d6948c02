"""Counts Inspect logs by inspect_ai's own read_eval_log -> expected.json (run with inspect_ai 0.3.285 installed)."""
import glob, math, os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from tally import tally, write
from inspect_ai.log import read_eval_log
V = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
def num(v):
    if isinstance(v, bool): return float(v)
    if isinstance(v, (int, float)): return None if math.isnan(v) else float(v)
    return V.get(v)
def rows(path):
    log = read_eval_log(path)
    for s in log.samples or []:
        sc, lost, unscored = {}, 0, 0
        for name, x in (s.scores or {}).items():
            if isinstance(x.value, dict):
                for k, v in x.value.items(): sc[f"{name}.{k}"] = num(v)
            else:
                sc[name] = num(x.value)
                if sc[name] is None: lost += 1
        if s.error: sc = {}
        # a pass: what "includes" says (Inspect itself has no pass/fail of a sample)
        yield {"arm": log.eval.task, "case": str(s.id), "trial": s.epoch - 1, "scores": sc, "passed": None if "includes" not in sc else sc["includes"] == 1.0, "error": s.error is not None, "missing_judge": lost}
files, own = {}, {}
for d in ("logs-eval", "logs-json", "logs-stopped", "logs-reducers", "logs-cancelled"):
    fs = sorted(glob.glob(d + "/*.eval") + glob.glob(d + "/*.json"))
    if not fs: continue
    files[d] = tally([r for f in fs for r in rows(f)], "sample id (and epoch for the repeat)")
    for f in fs:
        log = read_eval_log(f)
        own[f] = {"status": log.status, "total_samples": log.results and log.results.total_samples, "completed_samples": log.results and log.results.completed_samples,
                  "scores": {f"{s.scorer}/{s.name}" + (f"/{s.reducer}" if s.reducer else ""): {"scored": s.scored_samples, "unscored": s.unscored_samples, **{m: v.value for m, v in s.metrics.items()}} for s in (log.results.scores if log.results else [])}}
for d in files: files[d]["tool_says"] = {f: x for f, x in own.items() if f.startswith(d)}
write("expected.json", files)
