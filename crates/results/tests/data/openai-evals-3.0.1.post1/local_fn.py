import json, urllib.error, urllib.request
from evals.api import CompletionFn, CompletionResult
from evals.record import record_sampling
class R(CompletionResult):
    def __init__(self, t): self.t = t
    def get_completions(self): return [self.t]
class Local(CompletionFn):
    def __init__(self, model="demo-small", **kw): self.model = model
    def __call__(self, prompt, **kw):
        r = urllib.request.Request("http://127.0.0.1:24680/v1/chat/completions", json.dumps({"model": self.model, "messages": prompt}).encode(), {"content-type": "application/json"})
        try: t = json.load(urllib.request.urlopen(r))["choices"][0]["message"]["content"]
        except urllib.error.HTTPError as e: t = f"[error HTTP {e.code}]"   # an exception would stop the whole eval without a final report
        record_sampling(prompt=prompt, sampled=[t], model=self.model)
        return R(t)
