# usage: run.sh OUT [claude plugin eval options]; claude on PATH; the fake on 127.0.0.1:24680
OUT=$1; shift
curl -s -X POST http://127.0.0.1:24680/reset > /dev/null
env -i PATH="$PATH" HOME=/srv/demo/claudehome TERM=dumb ANTHROPIC_BASE_URL=http://127.0.0.1:24680 ANTHROPIC_API_KEY=none-demo ANTHROPIC_DEFAULT_HAIKU_MODEL=demo-haiku ANTHROPIC_SMALL_FAST_MODEL=demo-haiku \
  CLAUDE_CODE_MAX_RETRIES=0 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1 \
  claude plugin eval ./demo-facts --trust-plugin --no-publish --model demo-small --judge-model demo-judge --output-dir "$OUT" "$@"
echo "exit code $?"
