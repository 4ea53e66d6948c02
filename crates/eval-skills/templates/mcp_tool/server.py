"""{{id}}: a server of the Model Context Protocol with one tool, on standard
input and output, without any package to install.

Write what the tool does into `run`. Standard output is for the protocol; print
whatever else there is to say to standard error.
"""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def run(arguments):
    """Return the tool's result for `arguments`: see inputSchema and outputSchema of skill.json.

    tests/basic.eval.json expects `pong` to `ping`. Change it together with this
    function to an example of what the skill really does.
    """
    raise NotImplementedError("write what the tool does into `run` of server.py")


def tools(skill):
    """The one tool, as skill.json describes it."""
    schema = skill.get("inputSchema", {"type": "object"})
    return [{"name": "{{id}}", "description": skill.get("description", ""), "inputSchema": schema}]


def called(params, skill):
    """The result of a call; whatever goes wrong in it is for the caller to read."""
    names = [tool["name"] for tool in tools(skill)]
    if params.get("name") not in names:
        raise LookupError(f"there is no tool {params.get('name')!r}, only {', '.join(names)}")
    try:
        result = run(params.get("arguments") or {})
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        return {"content": [{"type": "text", "text": text}], "isError": True}
    text = result if isinstance(result, str) else json.dumps(result)
    answer = {"content": [{"type": "text", "text": text}]}
    if isinstance(result, dict):
        answer["structuredContent"] = result
    return answer


def handle(method, params, skill):
    """The result of one request."""
    if method == "initialize":
        return {
            "protocolVersion": params.get("protocolVersion", "2025-06-18"),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "{{id}}", "version": skill.get("version", "0")},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": tools(skill)}
    if method == "tools/call":
        return called(params, skill)
    raise NotImplementedError(method)


def response(line, skill):
    """The answer to one line; none to a notification."""
    answer = {"jsonrpc": "2.0", "id": None}
    try:
        request = json.loads(line)
        if "id" not in request or "method" not in request:
            return None
        answer["id"] = request["id"]
        answer["result"] = handle(request["method"], request.get("params") or {}, skill)
    except NotImplementedError as error:
        answer["error"] = {"code": -32601, "message": f"method not found: {error}"}
    except LookupError as error:
        answer["error"] = {"code": -32602, "message": str(error)}
    except Exception as error:
        answer["error"] = {"code": -32603, "message": f"{type(error).__name__}: {error}"}
    return answer


def main():
    with open(os.path.join(HERE, "skill.json"), encoding="utf-8") as file:
        skill = json.load(file)
    for line in sys.stdin:
        answer = response(line, skill) if line.strip() else None
        if answer is not None:
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
