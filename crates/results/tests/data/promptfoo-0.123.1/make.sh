#!/bin/sh
# Made with: promptfoo 0.123.1 (npm; needs node >= 22.22.0), node 22.23.3 (npm package "node"), Python 3.11 (fake).
# Work folder /srv/demo (so that paths in the files are neutral); fake server on 127.0.0.1:24680.
set -eu
mkdir -p /srv/demo/promptfoo /srv/tools/pf123
cp -r ../suite ../fake.py /srv/demo/; cp gen.py run.sh /srv/demo/promptfoo/
(cd /srv/tools && npm init -y && npm i node@22.23.3)
export PATH=/srv/tools/node_modules/.bin:$PATH
(cd /srv/tools/pf123 && npm init -y && npm i promptfoo@0.123.1 @libsql/linux-x64-gnu --omit=optional)
(cd /srv/demo && python3 fake.py 24680 suite/cases.jsonl) & FAKE=$!
cd /srv/demo/promptfoo && python3 gen.py && PF=/srv/tools/pf123 bash run.sh out123 > summary.txt 2>&1 || true
kill $FAKE
# summary.txt here: that output without node warnings, "API call error" lines and log file names.
