# needs: inspect_ai 0.3.285, openai; the fake on 127.0.0.1:24680. Work folder /srv/demo/inspect.
set -u
export DEMO_API_KEY=none DEMO_BASE_URL=http://127.0.0.1:24680/v1
M="--model openai-api/demo/demo-small --display plain --max-connections 1 --max-samples 1 --no-log-realtime"
reset() { curl -s -X POST http://127.0.0.1:24680/reset > /dev/null; }
# two arms as two logs (.eval), 24 samples x 3 epochs
for arm in control treatment; do reset; inspect eval tasks.py@$arm $M --epochs 3 --no-fail-on-error --log-dir logs-eval; done
# the same as JSON logs, 7 samples x 2 epochs
for arm in control treatment; do reset; inspect eval tasks.py@$arm $M --epochs 2 --sample-id c03,c05,c07,c14 --no-fail-on-error --log-format json --log-dir logs-json; done
# a log that stopped at its first sample error (status error)
reset; inspect eval tasks.py@control $M --sample-id c03,c04,c05,c14 --log-dir logs-stopped
# a log that was stopped by hand (status cancelled)
reset; timeout -s INT 22 inspect eval tasks.py@control $M --epochs 3 --log-dir logs-cancelled
# both arms as one model each, another epochs reducer
reset; inspect eval tasks.py@control $M --epochs 3 --epochs-reducer mean,at_least_2,pass_at_2 --sample-id c01,c03,c09 --no-fail-on-error --log-dir logs-reducers
