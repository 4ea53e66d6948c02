#!/bin/sh
# Made with pytest 9.2.0, Python 3.11; host name set to "demo" in a UTS name space so that no machine's name is in the files.
set -eu
mkdir -p /srv/demo/junit; cp -r ../suite ../fake.py /srv/demo/; cp test_facts.py run.sh /srv/demo/junit/
python3 -m venv /srv/tools/pytest && /srv/tools/pytest/bin/pip install "pytest==${PYTEST:-9.2.0}"
(cd /srv/demo && python3 fake.py 24680 suite/cases.jsonl) & FAKE=$!
cd /srv/demo/junit && PATH=/srv/tools/pytest/bin:$PATH unshare --uts sh -c 'hostname demo; bash run.sh > run.log 2>&1' || true
kill $FAKE; grep passed run.log > summary.txt
