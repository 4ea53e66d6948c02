#!/bin/sh
# Made with deepeval 4.3.1 (PyPI), Python 3.11; work folder /srv/demo/deepeval; fake on 127.0.0.1:24680.
set -eu
mkdir -p /srv/demo/deepeval; cp -r ../suite ../fake.py /srv/demo/; cp evalrun.py /srv/demo/deepeval/
python3 -m venv /srv/tools/deepeval && /srv/tools/deepeval/bin/pip install deepeval==4.3.1
(cd /srv/demo && python3 fake.py 24680 suite/cases.jsonl) & FAKE=$!
cd /srv/demo/deepeval; export DEEPEVAL_TELEMETRY_OPT_OUT=YES ERROR_REPORTING=NO
for a in control treatment; do /srv/tools/deepeval/bin/python evalrun.py $a results > $a.log 2>&1; cp .deepeval/.latest_run_full.json latest_run_full-$a.json; done
DEEPEVAL_LOCAL_STORE=sqlite /srv/tools/deepeval/bin/python evalrun.py control results-sqlite > sqlite.log 2>&1
kill $FAKE
