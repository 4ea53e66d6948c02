# needs: waza, built with engine.go, in PATH; the fake on 127.0.0.1:24680. Work folder /srv/demo/waza.
set -u
export MODEL_URL=http://127.0.0.1:24680/v1 COPILOT_CLI_PATH=/srv/demo/waza/judge.py TMPDIR=/srv/demo/waza/tmp
mkdir -p "$TMPDIR"; python3 gen.py
run() { curl -s -X POST http://127.0.0.1:24680/reset > /dev/null; echo "\$ waza run $*"; waza run "$@" --verbose=false 2>&1 || echo "(exit code $?)"; echo; echo ----; }
# the skill and the baseline in one file; the JUnit file has the skill's pass only
run evals/facts.yaml --baseline -o baseline.json --reporter junit:baseline.junit.xml
# a file for each of two models: models_demo-small.json, models_demo-large.json
run evals/facts.yaml --model demo-small --model demo-large -o models.json
# one trial; up to three attempts a run
run evals/facts-once.yaml --baseline -o once.json
run evals/facts-retried.yaml --baseline -o retried.json
