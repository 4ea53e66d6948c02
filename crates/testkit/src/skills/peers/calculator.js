"use strict";
// One JSON-RPC request on standard input, one answer on standard output.

function evaluate(expression) {
  const tokens = expression.match(/\d+(?:\.\d+)?|\.\d+|\*\*|[-+*/%^()]|\S/g) ?? [];
  let place = 0;
  const take = (...symbols) => (symbols.includes(tokens[place]) ? tokens[place++] : null);
  const total = () => {
    let value = product();
    for (let symbol; (symbol = take("+", "-")); ) value = symbol === "+" ? value + product() : value - product();
    return value;
  };
  const product = () => {
    let value = signed();
    for (let symbol; (symbol = take("*", "/", "%")); ) {
      const other = signed();
      if (symbol !== "*" && other === 0) throw new Error("division by zero");
      value = symbol === "*" ? value * other : symbol === "/" ? value / other : value % other;
    }
    return value;
  };
  const signed = () => {
    if (take("-")) return -signed();
    take("+");
    const value = atom();
    return take("**", "^") ? value ** signed() : value;
  };
  const atom = () => {
    if (take("(")) {
      const value = total();
      if (!take(")")) throw new Error("a parenthesis is missing");
      return value;
    }
    const token = tokens[place++];
    if (!/^[\d.]+$/.test(token ?? "")) throw new Error(`unexpected ${token ?? "end"}`);
    return Number(token);
  };
  const value = total();
  if (place < tokens.length) throw new Error(`unexpected ${tokens[place]}`);
  return value;
}

function solve(task) {
  if ("expression" in task) return String(evaluate(task.expression));
  if (task.operation === "reverse") return [...task.text].reverse().join("");
  if (task.operation === "palindrome") {
    const letters = [...task.text.toLowerCase()].filter((letter) => /[\p{L}\p{N}]/u.test(letter));
    return letters.join("") === letters.reverse().join("");
  }
  throw new Error(`unknown operation ${task.operation}`);
}

let text = "";
process.stdin.on("data", (piece) => (text += piece));
process.stdin.on("end", () => {
  const { id, params } = JSON.parse(text);
  const answer = { jsonrpc: "2.0", id };
  try {
    answer.result = solve(params.input ?? params);
  } catch (error) {
    answer.error = { code: -32602, message: error.message };
  }
  // Spread over lines, and between lines that are none of it.
  console.log("node is calculating");
  console.log(JSON.stringify(answer, null, 2));
  console.log("done");
});
