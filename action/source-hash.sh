#!/usr/bin/env bash
# Prints `hash=…`, which changes with any file of this action's source: the key under which its binary is cached.
set -euo pipefail
cd "$(dirname "$0")/.."
find . -type f -not -path './.git/*' -not -path './target/*' | LC_ALL=C sort >"${RUNNER_TEMP:-/tmp}/omk-sources"
{
  cat "${RUNNER_TEMP:-/tmp}/omk-sources"
  git hash-object --no-filters --stdin-paths <"${RUNNER_TEMP:-/tmp}/omk-sources"
} | git hash-object --stdin | sed 's/^/hash=/'
