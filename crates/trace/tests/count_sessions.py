#!/usr/bin/env python3
"""Counts what is in the session files below `fixtures`, from the raw records and without our code: the figures that the readers
of sessions are tested against. `count_sessions.py > expected.json` writes them anew.

A call is ok, failed, noMatch, notRun, or untold (it has a result that doesn't say); the rest has no result. Tokens are input
without cache, output, cache read, cache written."""

import json
import re
from pathlib import Path

ROOT = Path(__file__).parent / "fixtures"


def records(text):
    """The JSON objects of a file, whether one a line or one document, and how many lines are none."""
    try:
        return [json.loads(text)], 0
    except ValueError:
        pass
    good, torn = [], 0
    for line in filter(str.strip, text.split("\n")):
        try:
            good.append(json.loads(line))
        except ValueError:
            torn += 1
    return good, torn


class Count:
    def __init__(self, name):
        self.format, self.prompts, self.skills, self.unknown, self.unreadable = name, 0, 0, 0, 0
        self.messages, self.usage, self.calls = set(), {}, {}

    def call(self, id, status=None):
        self.calls[id] = status

    def end(self, id, status):
        if id in self.calls and self.calls[id] is None:
            self.calls[id] = status

    def said(self, id, tokens=None):
        self.messages.add(id)
        if tokens:
            self.usage[id] = tokens

    def figures(self):
        ended = list(self.calls.values())
        kinds = ["ok", "failed", "noMatch", "notRun", "untold"]
        tokens = [sum(use[i] for use in self.usage.values()) for i in range(4)]
        return {
            "format": self.format, "prompts": self.prompts, "messages": len(self.messages), "calls": len(ended),
            **{kind: ended.count(kind) for kind in kinds},
            "tokens": tokens, "skills": self.skills, "unknown": self.unknown, "unreadable": self.unreadable,
        }


CLAUDE_SILENT = """agent-name ai-title api-request api-request-blob api-request-shape atis-latch attribution-snapshot
cost-state custom-title file-history-snapshot last-prompt mode permission-mode pr-link progress queue-operation summary
tools-used system attachment user assistant""".split()


def claude(text, name):
    count = Count("claude-session")
    all, count.unreadable = records(text)
    own_file = "/subagents/" in name
    names = {}
    for record in all:
        kind, message = record["type"], record.get("message") or {}
        count.unknown += kind not in CLAUDE_SILENT
        side = record.get("isSidechain") and not own_file
        content = message.get("content", [])
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if kind == "assistant" and message.get("model") != "<synthetic>":
            use = message["usage"]
            keys = ["input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"]
            count.said(message["id"], [use[key] for key in keys])
            for block in blocks:
                if block["type"] == "tool_use":
                    names[block["id"]] = block["name"]
                    count.call(block["id"])
        for block in blocks if kind == "user" else []:
            if block["type"] == "tool_result":
                told = record.get("toolUseResult")
                told = told if isinstance(told, dict) else {}
                said = block["content"] if isinstance(block["content"], str) else ""
                if record.get("toolDenialKind") or said.startswith("The user doesn't want to proceed"):
                    status = "notRun"
                elif block.get("is_error"):
                    status = "failed"
                elif told.get("returnCodeInterpretation") == "No matches found":
                    status = "noMatch"
                elif names[block["tool_use_id"]] in ("Grep", "Glob") and said.startswith(("No matches", "No files")):
                    hits = {"content": ("numLines", "totalLines"), "count": ("numMatches",)}
                    keys = hits.get(told.get("mode"), ("numFiles", "totalFiles"))
                    status = "ok" if any(told.get(key) for key in keys) else "noMatch"
                else:
                    status = "ok"
                count.end(block["tool_use_id"], status)
            elif block["type"] == "text" and not side:
                said = block["text"]
                if record.get("isMeta"):
                    count.skills += said.startswith("Base directory for this skill: ")
                elif not record.get("isCompactSummary"):
                    count.prompts += not said.startswith(("[Request interrupted", "<task-notification>"))
        queued = record.get("attachment", {})
        count.prompts += queued.get("type") == "queued_command" and queued["commandMode"] == "prompt"
    return count


CODEX = "session_meta turn_context response_item event_msg token_usage_record world_state compacted message reasoning".split()


def codex_tokens(use):
    cached, written = use["cached_input_tokens"], use.get("cache_write_input_tokens", 0)
    return [use["input_tokens"] - cached - written, use["output_tokens"], cached, written]


def codex_result(output, command):
    code = None
    if output.startswith('{"output"'):
        inner = json.loads(output)
        code, output = inner["metadata"]["exit_code"], inner["output"]
    elif "\nOutput:\n" in output:
        about, output = output.split("\nOutput:\n", 1)
        found = re.search(r"(?:exited with code|Exit code:) (\d+)", about)
        code = int(found.group(1)) if found else None
    if "rejected by user" in output or output.startswith("aborted by user"):
        return "notRun"
    if code == 1 and not output.strip() and re.search(r"\b(grep|rg)\b", command):
        return "noMatch"
    return "failed" if code or output.startswith("unsupported call") else "ok"


def codex(text, name):
    count = Count("codex-session")
    all, count.unreadable = records(text)
    begins = all[0].get("payload", {}).get("subagent_history_start_ordinal", 0)
    has_records = any(record.get("type") == "token_usage_record" for record in all)
    answer, after, sums, commands = 0, True, None, {}
    for record in all:
        kind = record.get("type")
        if record.get("ordinal", begins) < begins:
            continue
        if kind is None or kind in ("function_call", "function_call_output"):
            pass
        elif kind not in CODEX:
            count.unknown += 1
        item = record.get("payload", record)
        of = item.get("type")
        if kind in ("session_meta", "turn_context", "world_state"):
            continue
        if kind == "token_usage_record":
            # The items before it are its answer's.
            answer += after
            count.said(answer, codex_tokens(item["usage"]))
            after = True
        elif kind == "event_msg" and of == "token_count" and not has_records:
            total = codex_tokens(item["info"]["total_token_usage"])
            if sums is None or total[1] < sums[1]:
                added = codex_tokens(item["info"]["last_token_usage"])
            else:
                added = [new - old for new, old in zip(total, sums)]
            sums, after = total, True
            if any(added):
                count.said(answer, added)
        elif kind == "event_msg" or of is None:
            continue
        elif of == "message" and item["role"] == "user":
            after = True
            for part in item["content"]:
                said = part["text"]
                count.skills += said.startswith("<skill>")
                count.prompts += not said.startswith(("<", "# AGENTS.md"))
        elif of in ("function_call_output", "custom_tool_call_output"):
            after = True
            output = item["output"]
            if isinstance(output, list):
                output = "\n".join(part.get("text", "") for part in output)
            count.end(item["call_id"], codex_result(output, commands.get(item["call_id"], "")))
        elif of in ("reasoning", "function_call", "custom_tool_call", "web_search_call") or item.get("role") == "assistant":
            answer += after
            after = False
            count.said(answer)
            if of in ("function_call", "custom_tool_call"):
                commands[item["call_id"]] = item.get("arguments", "")
                count.call(item["call_id"])
            elif of == "web_search_call":
                count.call(f"search {answer}", "ok")
    return count


def gemini(text, name):
    count = Count("gemini-session")
    all, count.unreadable = records(text)
    messages = {}
    for record in all:
        for message in record.get("messages", record.get("$set", {}).get("messages", [record])):
            if "id" in message:
                messages[message["id"]] = message
    for message in messages.values():
        content = message["content"]
        texts = [content] if isinstance(content, str) else [part["text"] for part in content if "text" in part]
        if message["type"] == "user":
            count.prompts += bool(texts) and not texts[0].startswith("<session_context>")
        if message["type"] != "gemini":
            continue
        use = message["tokens"]
        tokens = [use["input"] + use["tool"] - use["cached"], use["output"] + use["thoughts"], use["cached"], 0]
        count.said(message["id"], tokens)
        for call in message.get("toolCalls", []):
            given = call["result"][0]["functionResponse"]["response"]
            display = call.get("resultDisplay")
            nothing = isinstance(display, dict) and display.get("summary") == "No matches found" or display == "No files found"
            code = re.search(r"\nExit Code: (\d+)", given.get("output", ""))
            if call["status"] == "cancelled":
                status = "notRun"
            elif nothing or (code and code.group(1) == "1" and "Output: (empty)" in given["output"] and "grep" in call["args"]["command"]):
                status = "noMatch"
            else:
                status = "failed" if call["status"] == "error" or code else "ok"
            count.call(call["id"], status)
            count.skills += call["name"] == "activate_skill"
    return count


def openclaw(text, name):
    count = Count("openclaw-session")
    all, count.unreadable = records(text)
    for record in all:
        kind, message = record["type"], record.get("message", {})
        count.unknown += kind == "newer_kind"
        content = message.get("content", "")
        said = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
        if message.get("role") == "user":
            count.skills += said.startswith("<skill ")
            by_program = "provenance" in message or said.startswith("A new session was started")
            count.prompts += not by_program
        elif message.get("role") == "assistant" and message["provider"] != "openclaw":
            use = message["usage"]
            count.said(record["id"], [use["input"], use["output"], use["cacheRead"], use["cacheWrite"]])
            for part in content:
                if part["type"] == "toolCall":
                    count.call(part["id"])
                    count.skills += part["arguments"].get("path", "").endswith("/SKILL.md")
        elif message.get("role") == "toolResult":
            code = re.search(r"exited with code (\d+)", said)
            if "missing tool result" in said:
                status = "untold"
            elif message.get("details", {}).get("status") == "approval-pending":
                status = "notRun"
            elif said.startswith(("No matches found", "(no output)")):
                status = "noMatch"
            else:
                status = "failed" if message["isError"] or code else "ok"
            count.end(message["toolCallId"], status)
    return count


def by_words(said):
    code = re.search(r"^Exit code:? (\d+)", said)
    if said.startswith("No matches found") or said.startswith("No results found"):
        return "noMatch"
    if code and code.group(1) == "1" and not said.split("\n", 1)[1:]:
        return "noMatch"
    return "notRun" if said.startswith("[Request interrupted") else ("failed" if code else "untold")


def atif(text, name):
    count = Count("atif")
    all, count.unreadable = records(text)
    words = {"ok": "ok", "no-match": "noMatch", "failed": "failed", "not-run": "notRun"}

    def tokens(use, before=""):
        extra = use.get("extra", {})
        cached, written = use.get(before + "cached_tokens", 0), extra.get("cache_write_tokens", extra.get("cache_creation_input_tokens", 0))
        return [use[before + "prompt_tokens"] - cached - written, use[before + "completion_tokens"], cached, written]

    def thread(of, number, is_main):
        steps = [step for step in of["steps"] if not step.get("is_copied_context")]
        count.prompts += is_main and sum(step["source"] == "user" for step in steps)
        answers = [step for step in steps if step["source"] == "agent"]
        has_metrics = any("metrics" in step for step in answers)
        for step in answers:
            place = (number, step["step_id"])
            count.said(place, tokens(step["metrics"]) if "metrics" in step else None)
            calls = step.get("tool_calls", [])
            for call in calls:
                count.call(call["tool_call_id"])
            for result in step.get("observation", {}).get("results", []):
                told = result.get("extra", {}).get("status")
                id = result.get("source_call_id", calls[0]["tool_call_id"])
                count.end(id, words[told] if told else by_words(result["content"]))
        if not has_metrics and "final_metrics" in of:
            count.usage[(number, answers[-1]["step_id"])] = tokens(of["final_metrics"], "total_")
        for inner, one in enumerate(of.get("subagent_trajectories", [])):
            thread(one, (number, inner), False)

    for number, of in enumerate(all):
        thread(of, number, True)
    return count


def swe_agent(text, name):
    count = Count("swe-agent")
    (of,), count.unreadable = records(text)
    count.prompts = 1
    for number, step in enumerate(of.get("trajectory", [])):
        count.said(number)
        said = step["observation"]
        if "is not supported by this environment" in said:
            status = "notRun"
        elif "was cancelled because" in said:
            status = "failed"
        else:
            status = by_words(said)
        if step["action"]:
            count.call(number, status)
    if "trajectory" in of:
        stats = of["info"]["model_stats"]
        count.usage[max(count.messages)] = [stats["tokens_sent"], stats["tokens_received"], 0, 0]
    open = []
    for number, message in enumerate(of.get("messages", [])):
        if message["role"] == "assistant":
            use = message.get("extra", {}).get("response", {}).get("usage")
            cached = use.get("prompt_tokens_details", {}).get("cached_tokens", 0) if use else 0
            count.said(number, use and [use["prompt_tokens"] - cached, use["completion_tokens"], cached, 0])
            listed = message.get("extra", {}).get("actions", [])
            typed = re.findall(r"```bash\n(.*?)\n```", message["content"], re.S) if not listed else []
            open = [(number, place, command) for place, command in enumerate([one["command"] for one in listed] + typed)]
            for one in open:
                count.call(one)
        elif open and message["role"] in ("tool", "user"):
            one = open.pop(0)
            code = int(re.search(r"<returncode>(\d+)", message["content"]).group(1))
            is_empty = "<output>\n</output>" in message["content"]
            status = "noMatch" if code == 1 and is_empty and "grep" in one[2] else "failed" if code else "ok"
            count.end(one, status)
    return count


def otel(text, name):
    count = Count("otel")
    all, count.unreadable = records(text)

    def plain(value):
        if "kvlistValue" in value:
            return {one["key"]: plain(one["value"]) for one in value["kvlistValue"]["values"]}
        return int(value["intValue"]) if "intValue" in value else next(iter(value.values()))

    def attributes(of):
        return {one["key"]: plain(one["value"]) for one in of.get("attributes", [])}

    spans = []
    for document in all:
        for resource in document.get("resourceSpans", []):
            spans += [span for scope in resource["scopeSpans"] for span in scope["spans"]]
        for resource in document.get("resourceLogs", []):
            for record in (record for scope in resource["scopeLogs"] for record in scope["logRecords"]):
                body = plain(record["body"])
                count.prompts += record["eventName"] == "gen_ai.user.message"
                if record["eventName"] == "gen_ai.choice":
                    count.said(body["message"]["content"])
    asked = set()
    for span in sorted(spans, key=lambda span: int(span["startTimeUnixNano"])):
        of = attributes(span)
        events = [(event["name"], attributes(event)) for event in span.get("events", [])]
        if of.get("gen_ai.operation.name") == "execute_tool":
            said = of.get("gen_ai.tool.call.result", "")
            status = "failed" if "error.type" in of else "noMatch" if said.startswith("No matches found") else "ok"
            count.call(of["gen_ai.tool.call.id"], status)
        # Conversations of these files have no text twice.
        texts = [part["content"] for one in json.loads(of.get("gen_ai.input.messages", "[]")) if one["role"] == "user" for part in one["parts"]]
        texts += [about["content"] for event, about in events if event == "gen_ai.user.message"]
        texts += [of[f"gen_ai.prompt.{i}.content"] for i in range(9) if of.get(f"gen_ai.prompt.{i}.role") == "user"]
        asked.update(texts)
        if of.get("gen_ai.operation.name", of.get("llm.request.type")) != "chat":
            continue
        cached = of.get("gen_ai.usage.cache_read.input_tokens", 0)
        used = [of.get(f"gen_ai.usage.{a}", of.get(f"gen_ai.usage.{b}")) for a, b in [("input_tokens", "prompt_tokens"), ("output_tokens", "completion_tokens")]]
        count.said(span["spanId"], [used[0] - cached, used[1], cached, 0])
        for event, about in events:
            if event == "gen_ai.choice":
                for call in json.loads(about["message"]).get("tool_calls", []):
                    count.call(call["id"])
            elif event == "gen_ai.tool.message":
                count.end(about["id"], by_words(about["content"]))
        for one in json.loads(of.get("gen_ai.output.messages", "[]")):
            for part in one["parts"]:
                if part["type"] == "tool_call":
                    count.calls.setdefault(part["id"], None)
        if "gen_ai.completion.0.tool_calls.0.id" in of:
            count.call(of["gen_ai.completion.0.tool_calls.0.id"])
    count.prompts += len(asked)
    return count


def without_code(text):
    """A text with each block of code as one line `CODE: FIRST LINE`."""
    return re.sub(r"^(`{3,})(\w*)\n(.*?)\n?^\1$", lambda of: f"CODE {of[2]}: {of[3]}".replace("\n", "\\n").replace("</", "<"), text, flags=re.S | re.M)


SPEAKERS = {
    "log-headings.md": r"^## (User|Assistant)", "log-terminal.md": r"^# (User|Assistant)",
    "log-labels.md": r"^\*\*(Human|Claude):?\*\*:?", "log-zh.md": r"^(用户|助手)：",
}
CALL = r"^(?:### Tool call: |\*\*Tool: |工具调用：|⏺ )(\w+)(.*)$"


def markdown(text, name):
    count = Count("markdown")
    parts = re.split(SPEAKERS[name.rsplit("/", 1)[1]], without_code(text), flags=re.M)[1:]
    for role, body in zip(parts[::2], parts[1::2]):
        if role in ("User", "Human", "用户"):
            count.prompts += 1
            continue
        said = body
        # What isn't a call or its result is a message; so is each call after a result.
        pieces = re.split(CALL, said, flags=re.M)
        is_open = bool(pieces[0].strip(" \n:-"))
        if is_open:
            count.said((role, len(count.messages)))
        for tool, rest, after in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
            if not is_open:
                count.said((role, len(count.messages)))
            lines = after.strip("\n").split("\n")
            shown = [line for line in lines if re.match(r"CODE|\*\*(Result|Error):|结果：| +⎿|     ", line)]
            others = [line for line in lines if line.strip() and line not in shown]
            result = [re.sub(r"^CODE \w*: ?|^结果：|^\*\*Result:\*\*$|^ +⎿? *", "", line) for line in shown]
            result = [line for line in result if line and not line.startswith('{"') and not line.startswith("grep ")]
            status = "failed" if result[0].startswith("**Error:**") else by_words(result[0])
            count.call(len(count.calls), status)
            is_open = False
            if others:
                count.said((role, len(count.messages)))
    return count


def specstory(text, name):
    count = Count("specstory")
    parts = re.split(r"^_\*\*(User|Agent|Assistant)(?: - (sidechain))?(?: \((.*)\))?\*\*_$", without_code(text), flags=re.M)[1:]
    for role, side, _, body in zip(parts[::4], parts[1::4], parts[2::4], parts[3::4]):
        if role == "User":
            count.prompts += not side
            continue
        count.said(len(count.messages))
        found = re.search(r"<summary>Tool use: .*?</summary>(.*?)</details>(?:</tool-use>)?(.*)", body, re.S)
        if not found:
            continue
        shown = re.findall(r"^CODE \w*: (.*)$", found[1], re.M) or [found[1].strip()]
        if "**Error:**" in found[1]:
            status = "failed"
        elif "**Result:**" in found[1]:
            status = "ok"
        else:
            status = by_words(shown[-1])
        count.call(len(count.calls), status)
        if found[2].strip(" \n-"):
            # What follows the call without a name of its own is the same message.
            count.said(len(count.messages))
    return count


def of_file(name):
    base = name.rsplit("/", 1)[1]
    for begins, reader in [
        ("claude", claude), ("codex", codex), ("gemini", gemini), ("session-2", gemini), ("openclaw", openclaw), ("pi", openclaw),
        ("atif", atif), ("swe-agent", swe_agent), ("mini", swe_agent), ("otel", otel), ("log-", markdown), ("specstory", specstory),
    ]:
        if (name if "session-files" not in name else base).startswith(begins):
            return reader


def main():
    figures = {}
    for path in sorted(ROOT.rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        is_session = re.search(r"(^|/)(transcripts|rollouts|sessions|session-files)/", name)
        if not path.is_file() or not is_session or name.endswith((".meta.json", "README.md")):
            continue
        figures[name] = of_file(name)(path.read_text(encoding="utf-8"), name).figures()
    print(json.dumps(figures, indent=1, sort_keys=True))


main()
