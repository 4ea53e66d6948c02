set -u
export PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_DISABLE_REMOTE_GENERATION=1 PROMPTFOO_DISABLE_SHARING=1 PROMPTFOO_CACHE_ENABLED=false PROMPTFOO_REQUEST_BACKOFF_MS=20 PROMPTFOO_DISABLE_ADAPTIVE_SCHEDULER=true NO_UPDATE_NOTIFIER=1
reset() { curl -s -X POST http://127.0.0.1:24680/reset >/dev/null; }
O=$1; export PROMPTFOO_CONFIG_DIR=$PWD/$O/home; mkdir -p $O
one() { name=$1; shift; reset; echo "== promptfoo eval $*"; npx --prefix "$PF" promptfoo eval "$@" --no-cache --no-progress-bar --no-table --no-share; echo "exit code $?"; }
one ab -c ab.json -o $O/ab.json -o $O/ab.junit.xml -o $O/ab.csv
one ab24 -c ab24.json -o $O/ab24.jsonl
one one-prompt -c one-prompt.json -o $O/one-prompt.json
for a in control treatment; do one $a -c $a.json --repeat 3 -j 1 -o $O/$a-repeat3.json -o $O/$a-repeat3.jsonl -o $O/$a-repeat3.junit.xml; done
one odd -c odd.json -o $O/odd.json -o $O/odd.jsonl
export PROMPTFOO_CONFIG_DIR=$PWD/$O/home-small
one small -c small.json
cp $PROMPTFOO_CONFIG_DIR/promptfoo.db $O/promptfoo.db
