set -u
export PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 PROMPTFOO_DISABLE_REMOTE_GENERATION=1 PROMPTFOO_DISABLE_SHARING=1 PROMPTFOO_CACHE_ENABLED=false PROMPTFOO_REQUEST_BACKOFF_MS=20 PROMPTFOO_DISABLE_ADAPTIVE_SCHEDULER=true NO_UPDATE_NOTIFIER=1
reset() { curl -s -X POST http://127.0.0.1:24680/reset >/dev/null; }
O=$1; export PROMPTFOO_CONFIG_DIR=$PWD/$O/home; mkdir -p $O
one() { name=$1; shift; reset; echo "== promptfoo eval $*"; npx --prefix "$PF" promptfoo eval "$@" --no-cache --no-progress-bar --no-table --no-share; echo "exit code $?"; }
one ab -c ab.json -o $O/ab.json -o $O/ab.junit.xml -o $O/ab.csv
