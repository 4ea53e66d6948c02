#!/usr/bin/env bash
# Builds omk from this action's source, unless the cache has it. OMK_ROOT: where to.
set -euo pipefail
[ -x "$OMK_ROOT/bin/omk" ] && exit 0
cargo install --locked --path "$(dirname "$0")/../crates/omk" --root "$OMK_ROOT"
