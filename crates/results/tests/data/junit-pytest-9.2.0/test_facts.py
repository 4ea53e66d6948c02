"""The demo suite as pytest tests; the arm comes from ARM. Own work."""
import json, os, urllib.error, urllib.request
import pytest
ARM = os.environ["ARM"]
SYS = {"control": "Answer the question in one short sentence.", "treatment": "Answer the question in one short sentence. Check your work: units, dates, carry digits."}[ARM]
CASES = [json.loads(l) for l in open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite", "cases.jsonl"), encoding="utf-8")]
CASES = [c for c in CASES if c["id"] not in ("c06", "c08", "c10", "c12", "c16", "c25")]
REPEATS = int(os.environ.get("REPEATS", "1"))

@pytest.fixture
def reply(request, record_property):
    c = request.getfixturevalue("case")
    if c["id"] == "c20": pytest.skip("left out today")
    r = urllib.request.Request("http://127.0.0.1:24680/v1/chat/completions", json.dumps({"model": "demo-small", "messages": [{"role": "system", "content": SYS}, {"role": "user", "content": c["question"]}]}).encode(), {"content-type": "application/json"})
    try:
        with urllib.request.urlopen(r) as f: text = json.load(f)["choices"][0]["message"]["content"]
    except urllib.error.HTTPError as e:
        raise RuntimeError(f"HTTP {e.code} from the model") from None   # an error in a fixture: a set-up error
    record_property("reply", text)
    return text

@pytest.mark.parametrize("repeat", range(REPEATS))
@pytest.mark.parametrize("case", CASES, ids=[c["id"] for c in CASES])
def test_fact(case, repeat, reply, record_property):
    record_property("score", 1.0 if case["answer"] in reply else 0.0)
    if case["id"] == "c22": pytest.xfail("known to be hard")
    assert case["answer"] in reply

class TestForm:
    @pytest.mark.parametrize("case", [c for c in CASES if c["id"] in ("c01", "c09", "c24", "c26")], ids=lambda c: c["id"])
    def test_end(self, case, reply):
        print("printed:", reply)
        assert reply.endswith((".", "。")), 'no <end> & "mark"'
