#!/bin/sh
# Made with lm_eval 0.4.13 with the extra [api] (PyPI; no torch needed), datasets 5.2.0, Python 3.11; work folder /srv/demo/lmeval; fake on 127.0.0.1:24680.
set -eu
mkdir -p /srv/demo/lmeval; cp -r ../suite ../fake.py /srv/demo/; cp *.yaml utils.py make_data.py run.sh /srv/demo/lmeval/
python3 -m venv /srv/tools/lmeval && /srv/tools/lmeval/bin/pip install "lm_eval[api]==0.4.13"
(cd /srv/demo && python3 fake.py 24680 suite/cases.jsonl) & FAKE=$!
cd /srv/demo/lmeval && python3 make_data.py && PATH=/srv/tools/lmeval/bin:$PATH bash run.sh > run.log 2>&1 || true
kill $FAKE; grep -E '^\||^local-chat' run.log > summary.txt
