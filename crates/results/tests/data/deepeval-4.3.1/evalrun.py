"""DeepEval over the demo suite: a deterministic metric, G-Eval with a local model, one arm per run. Own work."""
import json, os, sys, urllib.request
from deepeval import evaluate
from deepeval.evaluate import AsyncConfig, DisplayConfig, ErrorConfig, CacheConfig
from deepeval.metrics import BaseMetric, GEval
from deepeval.models import DeepEvalBaseLLM
from deepeval.test_case import LLMTestCase, SingleTurnParams
BASE = "http://127.0.0.1:24680"
def post(path, body):
    r = urllib.request.Request(BASE + path, json.dumps(body).encode(), {"content-type": "application/json"})
    return json.load(urllib.request.urlopen(r))
def ask(model, messages): return post("/v1/chat/completions", {"model": model, "messages": messages})["choices"][0]["message"]["content"]

class Local(DeepEvalBaseLLM):
    def __init__(self): pass
    def load_model(self): return self
    def generate(self, prompt, schema=None): 
        text = ask("demo-judge", [{"role": "user", "content": prompt}])
        return schema.model_validate_json(text) if schema else text
    async def a_generate(self, prompt, schema=None): return self.generate(prompt, schema)
    def get_model_name(self): return "demo-judge"

class Contains(BaseMetric):
    def __init__(self, threshold=1.0): self.threshold = threshold; self.async_mode = False; self.include_reason = True
    def measure(self, tc, *a, **k):
        self.score = 1.0 if tc.expected_output in (tc.actual_output or "") else 0.0
        self.reason = "the value is there" if self.score else "the value is not there"
        self.success = self.score >= self.threshold
        return self.score
    async def a_measure(self, tc, *a, **k): return self.measure(tc)
    def is_successful(self): return bool(self.success)
    @property
    def __name__(self): return "Contains"

arm, out = sys.argv[1], sys.argv[2]
SYS = {"control": "Answer the question in one short sentence.", "treatment": "Answer the question in one short sentence. Check your work: units, dates, carry digits."}[arm]
cases = [json.loads(l) for l in open("../suite/cases.jsonl", encoding="utf-8")]
cases = [c for c in cases if c["id"] not in ("c06", "c08", "c10", "c12", "c16", "c25")]
post("/reset", {})
tcs, lost = [], []
for rep in range(2):
    for c in cases:
        try: a = ask("demo-small", [{"role": "system", "content": SYS}, {"role": "user", "content": c["question"]}])
        except OSError as e: lost.append((c["id"], rep, str(e))); continue   # DeepEval does not call the model: the caller must leave it out
        tcs.append(LLMTestCase(name=c["id"], input=c["question"], actual_output=a, expected_output=c["answer"], tags=[c["tag"]], metadata={"id": c["id"], "lang": c["lang"], "repeat": rep}))
print("no answer (left out):", lost)
geval = GEval(name="Correctness", evaluation_steps=["Compare the value of the answer with the expected value."], evaluation_params=[SingleTurnParams.INPUT, SingleTurnParams.ACTUAL_OUTPUT, SingleTurnParams.EXPECTED_OUTPUT], model=Local(), threshold=0.5, async_mode=False)
evaluate(test_cases=tcs, metrics=[Contains(), geval], identifier=f"demo {arm}", hyperparameters={"arm": arm, "model": "demo-small", "system": SYS},
         async_config=AsyncConfig(run_async=False), error_config=ErrorConfig(ignore_errors=True), cache_config=CacheConfig(write_cache=False, use_cache=False),
         display_config=DisplayConfig(show_indicator=False, print_results=True, results_folder=out))
