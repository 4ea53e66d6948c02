"""Writes the eval and its tasks: 24 cases, 3 trials; a second eval with 8 cases and one trial. Standard library only (JSON is YAML)."""
import json, os
CASES = [json.loads(l) for l in open("../suite/cases.jsonl", encoding="utf-8")]
CASES = [c for c in CASES if c["id"] not in ("c06", "c08", "c10", "c12", "c16", "c25")]
JUDGED, UNCHECKED = ("c03", "c07", "c11", "c14", "c19", "c23"), "c18"
os.makedirs("evals/tasks", exist_ok=True); os.makedirs("evals/skills/check-work", exist_ok=True)
open("evals/skills/check-work/SKILL.md", "w").write("---\nname: check-work\ndescription: Check your work before you answer.\n---\nCheck your work.\n")
open("evals/short.py", "w").write("import sys\ntext = sys.stdin.read()\nprint(len(text), 'characters')\nsys.exit(0 if 0 < len(text) <= 18 else 1)\n")
for c in CASES:
    says = "答案是" if c["lang"] == "zh" else "answer is"
    graders = [
        {"name": "value", "type": "text", "weight": 3, "config": {"contains": [c["answer"], says]}},
        {"name": "short", "type": "program", "config": {"command": "python3", "args": ["evals/short.py"]}},
        {"name": "form", "type": "code", "weight": 0.5, "config": {"assertions": ["len(output) > 0", "output.endswith(('.', '。'))"], "language": "python"}},
    ]
    if c["id"] in JUDGED:
        graders.append({"name": "judged", "type": "prompt", "weight": 2, "config": {"prompt": f"Is the value in answer.txt {c['answer']}?", "model": "demo-judge"}})
    if c["id"] == UNCHECKED: graders = []
    task = {"id": c["id"], "name": f"{c['id']} {c['tag']}", "tags": [c["tag"]], "inputs": {"prompt": c["question"]}, "graders": graders}
    json.dump(task, open(f"evals/tasks/{c['id']}.yaml", "w", encoding="utf-8"), ensure_ascii=False, indent=1)
def config(name, trials, tasks, attempts=1):
    of = {"name": name, "skill": "check-work", "version": "1.0",
          "config": {"trials_per_task": trials, "max_attempts": attempts, "timeout_seconds": 30, "executor": "mock", "model": "demo-small", "skill_directories": ["skills"]},
          "metrics": [], "tasks": tasks}
    json.dump(of, open(f"evals/{name}.yaml", "w"), indent=1)
config("facts", 3, ["tasks/*.yaml"])
config("facts-once", 1, ["tasks/c0*.yaml"])
config("facts-retried", 2, ["tasks/c0*.yaml"], 3)
