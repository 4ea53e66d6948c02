#!/usr/bin/env python3
"""A fake model server for test data: OpenAI chat, completions and responses, and Anthropic
messages (streaming too). Binds 127.0.0.1 only. Usage: fake.py PORT CASES.jsonl [LOG]

Who answers is decided by what the request says:
- model name contains "judge": a judge; any other: an answerer.
- arm: treatment where the text has "Check your work", else control.
- case: the one whose question stands in the text (the longest such).
- repeat: the count of earlier requests of this (model, arm, case); POST /reset sets all to 0.

Faults (always the same):
 answerer: c05 HTTP 500; c13 HTTP 429; c21 HTTP 500 in treatment only; c27 HTTP 500 for models
           whose name has "large"; c09 empty text every third request; c24 cut off at the limit.
 judge:    c07 rubbish; c11 HTTP 500; c19 rubbish in control only (arm not seen by most judges:
           there by a wrong answer); c23 a verdict of "maybe".
"""
import hashlib, json, re, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PORT = int(sys.argv[1])
CASES = [json.loads(l) for l in open(sys.argv[2], encoding="utf-8")]
LOG = open(sys.argv[3], "a", encoding="utf-8") if len(sys.argv) > 3 else None
COUNT, LOCK = {}, threading.Lock()

def u(*parts):
    return int(hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:8], 16) / 2**32

def texts(o):
    """All strings of a request, in order, without tool definitions."""
    if isinstance(o, str): yield o
    elif isinstance(o, list):
        for x in o: yield from texts(x)
    elif isinstance(o, dict):
        for k, x in o.items():
            if k not in ("tools", "model", "metadata", "response_format", "text_format"): yield from texts(x)

def find_case(t):
    hits = [c for c in CASES if c["question"] in t]
    return max(hits, key=lambda c: (t.rfind(c["question"]))) if hits else None

def say(c, value):
    return f"答案是 {value}。" if c["lang"] == "zh" else f"The answer is {value}."

def answer(model, t):
    """(status, text, finish)"""
    c = find_case(t)
    if c is None: return 200, "I do not know this question.", "stop"
    arm = "treatment" if "Check your work" in t else "control"
    with LOCK:
        k = COUNT[(model, arm, c["id"])] = COUNT.get((model, arm, c["id"]), -1) + 1
    i = c["id"]
    if i == "c05" or (i == "c21" and arm == "treatment") or (i == "c27" and "large" in model):
        return 500, "backend exploded", None
    if i == "c13": return 429, "rate limit reached", None
    if i == "c09" and k % 3 == 2: return 200, "", "stop"
    if i == "c24": return 200, "让我想一想，二月", "length"
    p = {"control": 0.48, "treatment": 0.74}[arm] + (0.06 if "large" in model else 0)
    right = 0.6 * u("case", i) + 0.4 * u(model, arm, i, k) < 0.5 + (p - 0.5) * 0.75
    return 200, say(c, c["answer"] if right else c["wrong"]), "stop"

def judge(t):
    c = find_case(t)
    given = re.findall(r"(?:The answer is|答案是) ([^\s.。\"\\]+)", t)
    right = bool(c and given and given[-1] == c["answer"])
    i = c["id"] if c else ""
    if i == "c07": return 200, "Sorry, I would rather talk about the weather."
    if i == "c11": return 500, "judge backend exploded"
    if i == "c19" and not right: return 200, "<html>502 Bad Gateway</html>"
    score = round((0.8 + 0.2 * u("js", i)) if right else 0.3 * u("js", i), 2)
    reason = "The reply has the right value." if right else "The reply has a wrong value."
    if i == "c23": return 200, "maybe"
    if "exactly one word: PASS or FAIL" in t:     # claude plugin eval
        return 200, "PASS" if right else "FAIL"
    if "GRADE:" in t or "GRADE" in t:            # Inspect's model_graded_qa
        return 200, f"{reason}\n\nGRADE: {'C' if right else 'I'}"
    if '"steps"' in t and "score" not in t.split('"steps"')[-1][:200]:  # DeepEval G-Eval steps
        return 200, json.dumps({"steps": ["Compare the value of the answer with the expected value."]})
    if "0 to 10" in t or "0 and 10" in t or "0-10" in t:  # DeepEval G-Eval
        return 200, json.dumps({"score": round(score * 10), "reason": reason})
    if "step by step" in t and "choice" in t.lower():     # OpenAI evals modelgraded
        return 200, "Yes" if right else "No"
    return 200, json.dumps({"reason": reason, "pass": right, "score": score})

class H(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *a): pass
    def send(self, status, body, ctype="application/json"):
        b = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("content-type", ctype)
        self.send_header("content-length", str(len(b)))
        if status == 429: self.send_header("retry-after-ms", "1"); self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(b)
    def do_HEAD(self): self.send(200, b"")
    def do_GET(self):
        if self.path.endswith("/models"):
            return self.send(200, {"object": "list", "data": [{"id": m, "object": "model"} for m in ("demo-small", "demo-large", "demo-judge")]})
        self.send(200, {"ok": True})
    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self.path == "/reset":
            with LOCK: COUNT.clear()
            return self.send(200, {"ok": True})
        try: q = json.loads(raw or b"{}")
        except ValueError: return self.send(400, {"error": {"message": "not JSON", "type": "invalid_request_error"}})
        model = q.get("model", "")
        t = "\n".join(texts(q))
        path = self.path.split("?")[0]
        if path.endswith("/count_tokens"): return self.send(200, {"input_tokens": len(t) // 4})
        if "judge" in model:
            status, text = judge(t); finish = "stop"
        else:
            status, text, finish = answer(model, t)
        if LOG:
            LOG.write(json.dumps({"path": path, "status": status, "request": q, "reply": text}, ensure_ascii=False) + "\n"); LOG.flush()
        if path.endswith("/messages"): return self.anthropic(q, status, text, finish)
        if status != 200:
            kind = "rate_limit_error" if status == 429 else "server_error"
            return self.send(status, {"error": {"message": text, "type": kind, "code": "insufficient_quota" if status == 429 else kind}})
        pt, ct = max(1, len(t) // 4), max(1, len(text) // 4)
        hid = hashlib.sha256((t + text).encode()).hexdigest()[:12]
        usage = {"prompt_tokens": pt, "completion_tokens": ct, "total_tokens": pt + ct}
        base = {"created": 1767225600, "model": model}
        if path.endswith("/chat/completions"):
            if q.get("stream"):
                ev = [{**base, "id": "chatcmpl-" + hid, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}]},
                      {**base, "id": "chatcmpl-" + hid, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": finish}], "usage": usage}]
                return self.send(200, ("".join("data: " + json.dumps(e, ensure_ascii=False) + "\n\n" for e in ev) + "data: [DONE]\n\n").encode(), "text/event-stream")
            return self.send(200, {**base, "id": "chatcmpl-" + hid, "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}], "usage": usage})
        if path.endswith("/completions"):
            n = len(q["prompt"]) if isinstance(q.get("prompt"), list) else 1
            if n > 1:
                rs = [answer(model, p) for p in q["prompt"]]
                bad = [r for r in rs if r[0] != 200]
                if bad: return self.send(bad[0][0], {"error": {"message": bad[0][1], "type": "server_error"}})
                ch = [{"index": i, "text": r[1], "finish_reason": r[2], "logprobs": None} for i, r in enumerate(rs)]
            else: ch = [{"index": 0, "text": text, "finish_reason": finish, "logprobs": None}]
            return self.send(200, {**base, "id": "cmpl-" + hid, "object": "text_completion", "choices": ch, "usage": usage})
        if path.endswith("/responses"):
            return self.send(200, {"id": "resp_" + hid, "object": "response", "created_at": 1767225600, "status": "completed", "model": model,
                "output": [{"type": "message", "id": "msg_" + hid, "status": "completed", "role": "assistant", "content": [{"type": "output_text", "text": text, "annotations": []}]}],
                "usage": {"input_tokens": pt, "output_tokens": ct, "total_tokens": pt + ct}})
        self.send(404, {"error": {"message": "no such path " + path, "type": "not_found"}})
    def anthropic(self, q, status, text, finish):
        if status != 200:
            kind = {429: "rate_limit_error"}.get(status, "api_error")
            return self.send(status, {"type": "error", "error": {"type": kind, "message": text}})
        stop = "max_tokens" if finish == "length" else "end_turn"
        tool = None
        names = [x.get("name") for x in q.get("tools") or []]
        tc = q.get("tool_choice") or {}
        if tc.get("type") == "tool" or ("StructuredOutput" in names and "judge" in q.get("model", "")):
            try: tool = {"type": "tool_use", "id": "toolu_01demo", "name": tc.get("name") or "StructuredOutput", "input": json.loads(text)}
            except ValueError: tool = None
            if tool and any(isinstance(m.get("content"), list) and any(b.get("type") == "tool_result" for b in m["content"]) for m in q.get("messages", [])): tool = None
        blocks = [tool] if tool else [{"type": "text", "text": text}]
        if tool: stop = "tool_use"
        usage = {"input_tokens": 100, "output_tokens": max(1, len(text) // 4), "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
        msg = {"id": "msg_01demo", "type": "message", "role": "assistant", "model": q.get("model"), "content": blocks, "stop_reason": stop, "stop_sequence": None, "usage": usage}
        if not q.get("stream"): return self.send(200, msg)
        ev = [("message_start", {"type": "message_start", "message": {**msg, "content": [], "stop_reason": None}})]
        for i, b in enumerate(blocks):
            if b["type"] == "text":
                ev += [("content_block_start", {"type": "content_block_start", "index": i, "content_block": {"type": "text", "text": ""}}),
                       ("content_block_delta", {"type": "content_block_delta", "index": i, "delta": {"type": "text_delta", "text": b["text"]}})]
            else:
                ev += [("content_block_start", {"type": "content_block_start", "index": i, "content_block": {**b, "input": {}}}),
                       ("content_block_delta", {"type": "content_block_delta", "index": i, "delta": {"type": "input_json_delta", "partial_json": json.dumps(b["input"])}})]
            ev += [("content_block_stop", {"type": "content_block_stop", "index": i})]
        ev += [("message_delta", {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage}), ("message_stop", {"type": "message_stop"})]
        self.send(200, "".join(f"event: {n}\ndata: {json.dumps(d, ensure_ascii=False)}\n\n" for n, d in ev).encode(), "text/event-stream")

ThreadingHTTPServer(("127.0.0.1", PORT), H).serve_forever()
