# One JSON-RPC request on standard input, one answer on standard output.
request=$(cat)
id=$(printf '%s' "$request" | sed -n 's/.*"id" *: *\("[^"]*"\|[0-9]*\).*/\1/p')
member() { printf '%s' "$request" | sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p"; }
answer() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$1"; exit; }
refuse() { printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"%s"}}\n' "$id" "$1"; exit; }
# Byte by byte, characters of several bytes kept whole.
reversed() {
  printf '%s' "$1" | LC_ALL=C awk '
    BEGIN { for (i = 128; i < 192; i++) within[sprintf("%c", i)] = 1 }
    { for (i = length($0); i > 0; i--) {
        byte = substr($0, i, 1); tail = byte tail
        if (!(byte in within)) { out = out tail; tail = "" } } }
    END { printf "%s", out }'
}

expression=$(member expression | sed 's/\*\*/^/g')
if [ -n "$expression" ]; then
  # Nothing but arithmetic may reach the interpreter.
  case $expression in *[!0-9.+*/%^\(\)\ -]*) refuse "not an expression" ;; esac
  value=$(awk "BEGIN { printf \"%.12g\", $expression }" 2>/dev/null) || refuse "not an expression"
  case $value in *inf* | *nan*) refuse "division by zero" ;; esac
  answer "\"$value\""
fi
text=$(member text)
case $(member operation) in
  reverse) answer "\"$(reversed "$text")\"" ;;
  palindrome)
    letters=$(printf '%s' "$text" | LC_ALL=C tr 'A-Z' 'a-z' | LC_ALL=C tr -d '\000-\057\072-\140\173-\177')
    if [ "$letters" = "$(reversed "$letters")" ]; then answer true; else answer false; fi ;;
esac
refuse "unknown operation"
