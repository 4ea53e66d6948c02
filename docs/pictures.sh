#!/usr/bin/env bash
# Makes the pictures of both READMEs anew: the page of a run and its comment on a pull request, of the examples whose answers
# are recorded; and the page of trends of the example whose handbook is filled. Needs Chromium and a font with Chinese characters
# (Debian: chromium, fonts-noto-cjk).
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --quiet -p omk
omk="$PWD/target/debug/omk"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
OMK="$omk" examples/knowledge-gaps/replay.sh "$scratch/handbook" >/dev/null
export OMK_HOME="$scratch/home"
for language in en zh; do
  example="mail-to-ticket$([ "$language" = en ] || echo "-$language")"
  name="$([ "$language" = en ] || echo "-$language")"
  # Outside of the repository, whose commit would stand on the page. The exit code is the verdict's.
  cp -r "examples/$example" "$scratch/$example"
  (cd "$scratch/$example" && OMK_LANG="$language" "$omk" eval --executor replay \
    --export "html=$scratch/$example.html" --export "github=$scratch/$example.md" >/dev/null) || [ $? = 1 ]
  # as action/comment.sh does where no page can be linked to
  sed -i 's/<!-- omk:[^>]*-->//g' "$scratch/$example.md"
  cargo run --quiet -p testkit --example pictures -- "$scratch/$example.html" "$scratch/$example.md" "$name" docs/pictures
  # The server's first line has its address.
  OMK_LANG="$language" "$omk" report --reports-dir "$scratch/handbook/home/reports" --port 0 --no-open >"$scratch/server" &
  until grep -q http "$scratch/server"; do sleep 0.1; done
  chromium --headless --no-sandbox --hide-scrollbars --window-size=1100,1540 --user-data-dir="$scratch/chromium" \
    --screenshot="docs/pictures/trends$name.png" "$(grep -o 'http[^ ]*' "$scratch/server")trends" 2>/dev/null
  kill $!
done
