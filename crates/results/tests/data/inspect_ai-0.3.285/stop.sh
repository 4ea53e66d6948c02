export DEMO_API_KEY=none DEMO_BASE_URL=http://127.0.0.1:24680/v1 PATH=/srv/tools/inspect/bin:$PATH
for sig in INT KILL; do
  curl -s -X POST http://127.0.0.1:24680/reset >/dev/null
  d=logs-stopped-$sig; rm -rf $d
  python -m inspect_ai eval tasks.py@control --model openai-api/demo/demo-small --display plain --max-connections 1 --max-samples 1 --no-log-realtime --log-buffer 2 --epochs 3 --no-fail-on-error --log-dir $d > stop-$sig.log 2>&1 & P=$!
  for i in $(seq 60); do sleep 1; [ "$(stat -c %s $d/*.eval 2>/dev/null || echo 0)" -gt 30000 ] && break; done
  kill -$sig $P; wait $P
done
