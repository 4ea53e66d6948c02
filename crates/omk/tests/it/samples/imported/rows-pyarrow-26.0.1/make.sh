#!/bin/sh
# Made with pyarrow 26.0.1 (PyPI), Python 3.11, its defaults: snappy, dictionary pages.
set -eu
python3 -m venv venv && venv/bin/pip install pyarrow==26.0.1
venv/bin/python make_rows.py
