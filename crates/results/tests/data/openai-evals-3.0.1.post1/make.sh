#!/bin/sh
# Made with evals 3.0.1.post1 (PyPI; installed with --no-deps, since its pinned dependencies do not resolve in reasonable time), Python 3.11; work folder /srv/demo/oaievals; fake on 127.0.0.1:24680.
set -eu
mkdir -p /srv/demo/oaievals/registry/evals /srv/demo/oaievals/registry/data/facts /srv/demo/oaievals/registry/completion_fns; cp -r ../suite ../fake.py /srv/demo/; cp gen.py local_fn.py run.sh /srv/demo/oaievals/
python3 -m venv /srv/tools/evals && /srv/tools/evals/bin/pip install --no-deps evals==3.0.1.post1
/srv/tools/evals/bin/pip install openai backoff blobfile pyyaml numpy pandas tiktoken fire filelock lz4 pyzstd mock termcolor pydantic tqdm requests langchain-core jiwer snowflake-connector-python beartype setuptools aiolimiter sacrebleu nltk tenacity zstandard httpx
(cd /srv/demo && python3 fake.py 24680 suite/cases.jsonl) & FAKE=$!
cd /srv/demo/oaievals && python3 gen.py && PATH=/srv/tools/evals/bin:$PATH bash run.sh > run.log 2>&1
kill $FAKE
