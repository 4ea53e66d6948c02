"""Two Inspect tasks (arms differ in the system message) over the demo suite. Own work."""
import json, os
from inspect_ai import Task, task
from inspect_ai.dataset import Sample, MemoryDataset
from inspect_ai.model import get_model, GenerateConfig
from inspect_ai.scorer import includes, match, model_graded_qa, scorer, accuracy, mean, stderr, Score, Target, NOANSWER
from inspect_ai.solver import generate, system_message, TaskState

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = [json.loads(l) for l in open(os.path.join(HERE, "..", "suite", "cases.jsonl"), encoding="utf-8")]
S24 = [c for c in CASES if c["id"] not in ("c06", "c08", "c10", "c12", "c16", "c25")]

def data():
    return MemoryDataset([Sample(id=c["id"], input=c["question"], target=c["answer"], metadata={"tag": c["tag"], "lang": c["lang"]}) for c in S24], name="short-facts")

@scorer(metrics=[mean(), stderr()])
def brevity():
    """A number score; some samples are left unscored (None)."""
    async def score(state: TaskState, target: Target):
        if state.sample_id in ("c02", "c18"): return None            # unscored
        return Score(value=1.0 if len(state.output.completion) < 20 else 0.5, explanation="length")
    return score

@scorer(metrics={"right": [accuracy()], "form": [mean()]})
def pair():
    """A dictionary-valued score."""
    async def score(state: TaskState, target: Target):
        return Score(value={"right": target.text in state.output.completion, "form": 1 if state.output.completion else NOANSWER}, answer=state.output.completion)
    return score

def build(system):
    judge = get_model("openai-api/demo/demo-judge", config=GenerateConfig(temperature=0.0, max_retries=0), memoize=False)
    return Task(dataset=data(), solver=[system_message(system), generate()],
                scorer=[includes(), match(location="end"), model_graded_qa(model=judge), brevity(), pair()],
                config=GenerateConfig(temperature=0.2, max_tokens=64, max_retries=0), version=2)

@task
def control(): return build("Answer the question in one short sentence.")

@task
def treatment(): return build("Answer the question in one short sentence. Check your work: units, dates, carry digits.")
