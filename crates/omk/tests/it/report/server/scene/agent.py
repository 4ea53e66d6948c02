"""An agent that reviews code, of which every answer is decided by sample, variant and repeat. It asks no model."""
import hashlib
import json
import pathlib
import sys

request = json.load(sys.stdin)
number = int(request["prompt"].split("#")[1].split(":")[0])
is_new = "VERSION 2" in (request.get("system") or "")
# how often this was asked before
calls = pathlib.Path("calls")
calls.mkdir(exist_ok=True)
asked = calls / hashlib.sha256((str(is_new) + request["prompt"]).encode()).hexdigest()
with asked.open("a") as file:
    file.write("x")
repeat = len(asked.read_text())

finds = is_new and number % 6 != 1 or not is_new and number % 3 == 1
advises = is_new and number % 4 != 0 or number % 5 == 0
wavers = number % 7 == 3 and repeat == 2
if wavers:
    finds = not finds
says_secret = not is_new and number % 8 == 2

lines = ["## Review", ""]
if finds:
    lines += [
        "The query is open to an **SQL injection**: `name` goes into the text of the statement.",
        "",
        "```python",
        'cursor.execute(f"SELECT id FROM users WHERE name = \'{name}\'")',
        "```",
        "",
    ]
else:
    lines += ["The query could be *simplified*, and its result should be checked.", ""]
lines += ["1. Severity: " + ("high" if finds else "low"), "2. Effort: an hour", ""]
if advises:
    lines += ["> Use a **placeholder** and pass the value beside it.", ""]
if says_secret:
    lines += ["I also saw the key `sk-test-1234` in the file.", ""]
if number == 9:
    lines += [f"- place {at} was looked at, and nothing else was found" for at in range(60)] + [""]
lines += ["| file | line |", "|---|---|", f"| login.py | {10 + number} |"]

tools = [
    {"name": "Read", "input": {"path": "login.py"}, "output": "def login(name): ..."},
    {"name": "Grep", "input": {"pattern": "execute("}, "output": f"login.py:{10 + number}"},
]
if is_new:
    tools.append({"name": "Bash", "input": {"command": "grep -r schema ."}, "output": "0 hits"})
if number % 2:
    tools.append({"name": "Read", "input": {"path": "schema.sql" if is_new else "README.md"}, "output": "CREATE TABLE users"})
print(
    json.dumps(
        {
            "output": "\n".join(lines),
            "inputTokens": 1200 if is_new else 2900,
            "outputTokens": 180 + number,
            "costUSD": 0.004 if is_new else 0.011,
            "turns": 2,
            "toolCalls": tools,
        }
    )
)
