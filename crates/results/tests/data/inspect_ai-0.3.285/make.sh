#!/bin/sh
# Made with: inspect_ai 0.3.285, openai (PyPI), Python 3.11; work folder /srv/demo/inspect; fake on 127.0.0.1:24680.
set -eu
mkdir -p /srv/demo/inspect /srv/tools
cp -r ../suite ../fake.py /srv/demo/; cp tasks.py run.sh /srv/demo/inspect/
python3 -m venv /srv/tools/inspect && /srv/tools/inspect/bin/pip install inspect_ai==0.3.285 openai
(cd /srv/demo && python3 fake.py 24680 suite/cases.jsonl) & FAKE=$!
cd /srv/demo/inspect && PATH=/srv/tools/inspect/bin:$PATH bash run.sh > run.log 2>&1 || true
kill $FAKE
# summary.txt: the last block that each run printed. expected.json: python count.py with the same venv.
# (the log stopped by SIGINT did not come out here: the signal came while it was still starting)
