#!/bin/sh
# Made with waza 0.12.0 (github.com/microsoft/waza, commit 091a1f9), Go 1.27.3, Python 3.11. The mock engine is replaced by engine.go, so no
# published program will do: build it from a clone. Work folder /srv/demo/waza; fake on 127.0.0.1:24680.
set -eu
git clone https://github.com/microsoft/waza /srv/tools/waza && git -C /srv/tools/waza checkout 091a1f9
cp engine.go /srv/tools/waza/internal/execution/mock.go
(cd /srv/tools/waza && go build -ldflags "-X main.version=$(cat version.txt)" -o bin/waza ./cmd/waza)
mkdir -p /srv/demo/waza; cp -r ../suite ../fake.py /srv/demo/; cp gen.py run.sh judge.py count.py /srv/demo/waza/
(cd /srv/demo && python3 fake.py 24680 suite/cases.jsonl) & FAKE=$!
cd /srv/demo/waza && PATH=/srv/tools/waza/bin:$PATH bash run.sh > summary.txt
kill $FAKE
python3 count.py
