#!/usr/bin/env python3
"""Stands in for the Copilot program that waza's `prompt` graders start (COPILOT_CLI_PATH): speaks its JSON-RPC, asks the fake
judge about the answer that lies in the workspace, and calls waza's tools by what it says. A reply that is no verdict calls no
tool; an HTTP error is an error of the session. Standard library only."""
import json, os, sys, urllib.error, urllib.request
NOW, SESSION = "2026-01-01T00:00:00Z", "session-1"

def send(message):
    data = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(data) + data); sys.stdout.buffer.flush()

def receive():
    length = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line: sys.exit(0)
        if line in (b"\r\n", b"\n"): break
        if line.lower().startswith(b"content-length:"): length = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(length))

def event(kind, **data):
    send({"method": "session.event", "params": {"sessionId": SESSION, "event": {"id": "e", "timestamp": NOW, "parentId": None, "type": kind, "data": data}}})

def judge(prompt, model):
    text = open("answer.txt", encoding="utf-8").read()
    body = {"model": model, "messages": [{"role": "user", "content": f"{prompt}\n{text}"}]}
    try:
        with urllib.request.urlopen(urllib.request.Request(os.environ["MODEL_URL"] + "/chat/completions", json.dumps(body).encode(), {"content-type": "application/json"})) as got:
            said = json.load(got)["choices"][0]["message"]["content"]
    except urllib.error.HTTPError as error:
        return event("session.error", errorType="query", message=f"HTTP {error.code}: {json.load(error)['error']['message']}")
    try: verdict = json.loads(said)
    except ValueError: verdict = None
    if isinstance(verdict, dict):
        name = "set_waza_grade_pass" if verdict["pass"] else "set_waza_grade_fail"
        send({"id": 1, "method": "tool.call", "params": {"sessionId": SESSION, "toolCallId": "call-1", "toolName": name, "arguments": {"description": "the value", "reason": verdict["reason"]}}})
        receive()
    event("assistant.message", messageId="m", content=said)
    event("session.idle")

model = ""
while True:
    of = receive()
    if "method" not in of: continue
    what, given = of["method"], of.get("params") or {}
    model = given.get("model") or model
    answer = {"ping": {"message": "", "timestamp": 0, "protocolVersion": 2}, "session.create": {"sessionId": SESSION}, "session.send": {"messageId": "m"}}
    send({"id": of["id"], "result": answer.get(what, {})})
    if what == "session.send": judge(given["prompt"], model)
