"""{{id}}: answers JSON-RPC 2.0 requests, one on each line of standard input.

Write what the skill does into `run`. Standard output is for answers; print
whatever else there is to say to standard error.

With `"protocol": "jsonrpc-lines"` in adapter.config.json one process answers
all requests, which saves starting Python for each.
"""

import json
import sys


def run(data):
    """Return the answer to `data`: see inputSchema and outputSchema of skill.json.

    tests/basic.eval.json expects `pong` to `ping`. Change it together with this
    function to an example of what the skill really does.
    """
    raise NotImplementedError("write what the skill does into `run` of skill.py")


def answer(line):
    """The JSON-RPC response to one request."""
    response = {"jsonrpc": "2.0", "id": None}
    try:
        request = json.loads(line)
        response["id"] = request.get("id")
        response["result"] = run(request.get("params", {}))
    except Exception as error:  # whatever went wrong is the answer
        response["error"] = {"code": -32000, "message": f"{type(error).__name__}: {error}"}
    return response


if __name__ == "__main__":
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(answer(line)), flush=True)
