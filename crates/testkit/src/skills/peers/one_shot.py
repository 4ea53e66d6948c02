"""One JSON-RPC request on standard input, one answer on standard output."""

import json
import sys

from calculator import solve

request = json.load(sys.stdin)
params = request["params"]
print("calculating", file=sys.stderr)
answer = {"jsonrpc": "2.0", "id": request["id"]}
try:
    answer["result"] = {"result": solve(params.get("input", params)), "usage": {"totalTokens": 7}}
except (KeyError, ValueError) as error:
    answer["error"] = {"code": -32602, "message": str(error)}
json.dump(answer, sys.stdout)
