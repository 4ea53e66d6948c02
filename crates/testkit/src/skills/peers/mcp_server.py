"""A server of the Model Context Protocol over standard input and output: `mcp_server.py TOOL MODE`."""

import json
import os
import sys
import time

from calculator import solve

TOOL, MODE = sys.argv[1], sys.argv[2]


# How an answer is written otherwise than the protocol wants it.
WRITTEN = {
    "error-null": lambda answer: answer[:-1] + ', "error": null}',
    "batch": lambda answer: f"[{answer}]",
    "half": lambda answer: answer.replace('"5"', '"5 \\ud83d"'),
    "log": lambda answer: '{"level": "error", "id": 7, "error": "none"}\n' + answer,
    "lines": lambda answer: json.dumps(json.loads(answer), indent=1),
    "nan": lambda answer: answer.replace('"5"', "NaN"),
    "nothing": lambda answer: answer.replace('"result"', '"outcome"'),
}


def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def note(text):
    print(text, file=sys.stderr, flush=True)


def tools():
    names = [TOOL]
    if MODE == "many":
        names = [f"tool_{number}" for number in range(30)]
    elif MODE == "among-many":
        names = ["add", TOOL, "remove"]
    elif MODE == "none":
        names = []
    return [{"name": name, "description": "calculates", "inputSchema": {"type": "object"}} for name in names]


def listed(params):
    """One tool a page."""
    first = int((params or {}).get("cursor") or 0)
    everything = tools()
    page = {"tools": everything[first:first + 1]}
    if first + 1 < len(everything) or MODE == "endless-tools":
        page["nextCursor"] = str(first + 1)
    return page


def called(params):
    if MODE == "structured":
        value = solve(params["arguments"])
        return {"content": [{"type": "text", "text": "see the structure"}], "structuredContent": {"result": value, "usage": {"inputTokens": 2, "outputTokens": 3}}}
    if MODE == "is-error":
        return {"content": [{"type": "text", "text": "the battery is empty"}], "isError": True}
    if MODE == "parts":
        picture = {"type": "image", "mimeType": "image/png", "data": "A" * 400_000}
        link = {"type": "resource_link", "uri": "file:///tmp/x", "name": "x"}
        return {"content": [{"type": "text", "text": "look"}, picture, link], "_meta": {"usage": {"totalTokens": 9}}}
    if MODE == "strange":
        return {"wonderful": True}
    if MODE == "echo":
        return {"content": [{"type": "text", "text": json.dumps(params.get("arguments"))}]}
    value = solve(params["arguments"])
    return {"content": [{"type": "text", "text": value if isinstance(value, str) else json.dumps(value)}]}


def answer(request):
    method, params = request["method"], request.get("params") or {}
    if method == "initialize":
        if MODE == "modern":
            return say(id=request["id"], error={"code": -32601, "message": "no such method"})
        if MODE == "wrong-id":
            return say(id=4711, result={})
        if MODE == "refuses":
            return say(id=request["id"], error={"code": -32000, "message": "no licence"})
        version = "2024-11-05" if MODE == "old" else params["protocolVersion"]
        about = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "fake", "version": "1"}}
        return say(id=request["id"], result=about)
    if method == "server/discover":
        about = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}, "ttlMs": 0, "cacheScope": "private", "resultType": "complete", "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "fake", "version": "1"}}}
        return say(id=request["id"], result=about)
    if method == "ping":
        return say(id=request["id"], result={})
    if method == "tools/list":
        result = listed(params)
    elif method == "tools/call":
        if MODE == "slow":
            time.sleep(0.6)
        if MODE == "fills":
            for number in range(64):
                with open(f"{os.environ['TMPDIR']}/{number}", "wb") as file:
                    file.write(bytes(1 << 20))
            time.sleep(60)
        if MODE == "dies":
            note("giving up")
            sys.exit(3)
        if MODE == "dies-later":
            say(id=request["id"], result=called(params))
            sys.exit(0)
        if MODE == "hangs" or (MODE == "hangs-once" and params["arguments"].get("hang")):
            note("hanging")
            while True:
                time.sleep(60)
        if MODE == "never" or (MODE == "never-once" and params["arguments"].get("hang")):
            return note("no answer to this one")
        if MODE == "wrong-id-later":
            return say(id=4711, result=called(params))
        if MODE == "refuses-call":
            return say(id=request["id"], error={"code": -32602, "message": "expression is missing", "data": {"field": "expression"}})
        if MODE == "long-line":
            return sys.stdout.write("x" * (1 << 30))
        if MODE == "curious":
            for number, method in enumerate(["sampling/createMessage", "elicitation/create", "roots/list"]):
                body = {"messages": [], "maxTokens": 9, "message": "?", "mode": "form", "requestedSchema": {"type": "object", "properties": {}}}
                say(id=f"q{number}", method=method, params=body)
                note(f"{method}: {sys.stdin.readline().strip()}")
        if MODE == "asks-on-and-on":
            while True:
                say(id="q", method="ping")
        result = called(params)
        if MODE in WRITTEN:
            return print(WRITTEN[MODE](json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result})), flush=True)
        if MODE == "text-id":
            return say(id=str(request["id"]), result=result)
    else:
        return say(id=request["id"], error={"code": -32601, "message": "no such method"})
    if MODE == "modern":
        result = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **result}
    say(id=request["id"], result=result)


note(f"started as {MODE}")
if MODE == "hangs-at-once":
    time.sleep(3600)
if MODE == "dies-at-once":
    note("no config found")
    sys.exit(1)
if MODE in ("garbage", "garbage-first"):
    for _ in range(1000):
        print("{ not json \x00\x01", flush=False)
    sys.stdout.buffer.write(b"\xff\xfe\xfd\n")
    sys.stdout.flush()
if MODE == "garbage":
    sys.exit(0)
for line in sys.stdin:
    message = json.loads(line)
    if "method" in message and "id" in message:
        answer(message)
    elif message.get("method") == "notifications/cancelled":
        note(f"cancelled {message['params']['requestId']}")
