#!/bin/sh
# Made with @anthropic-ai/claude-code 2.1.332 (npm), node 22.23.3 (npm package node); work folder /srv/demo/plugin; fake on 127.0.0.1:24680. No real key is used.
set -eu
mkdir -p /srv/demo/plugin /srv/tools/claude; cp -r ../suite ../fake.py /srv/demo/; cp -r demo-facts make_cases.py run.sh all.sh /srv/demo/plugin/
(cd /srv/tools/claude && npm init -y && npm i @anthropic-ai/claude-code@2.1.332)
(cd /srv/demo && python3 fake.py 24680 suite/cases.jsonl) & FAKE=$!
cd /srv/demo/plugin && python3 make_cases.py && PATH=/srv/tools/claude/node_modules/.bin:$PATH bash all.sh > summary.txt 2>&1 < /dev/null || true
kill $FAKE
