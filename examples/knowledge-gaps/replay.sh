#!/usr/bin/env bash
# Replays the recorded runs of all versions of the handbook in a new Git repository, one commit for each, and shows their trend.
# It sends nothing anywhere. `replay.sh DIRECTORY` keeps repository and reports there; OMK names the program.
set -euo pipefail
example="$(cd "$(dirname "$0")" && pwd)"
omk="${OMK:-omk}"
folder="${1:-$(mktemp -d)}"
mkdir -p "$folder"
folder="$(cd "$folder" && pwd)"
export OMK_HOME="$folder/home"
# The same commits, with the same hashes, each time.
export GIT_AUTHOR_NAME=Handbook GIT_AUTHOR_EMAIL=handbook@example.com GIT_COMMITTER_NAME=Handbook GIT_COMMITTER_EMAIL=handbook@example.com
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
changes=("who and where" "alarms, logs and the branch" "releases" "canaries and bundles" "state and secrets")

mkdir -p "$folder/handbook/skills"
cp "$example/eval.yaml" "$example/eval-samples.yaml" "$folder/handbook"
cd "$folder/handbook"
git init --quiet --initial-branch=main
for version in 1 2 3 4 5; do
  cp "$example/versions/$version/handbook.md" skills/handbook.md
  git add --all
  date="2026-11-2${version}T09:00:00Z"
  GIT_AUTHOR_DATE="$date" GIT_COMMITTER_DATE="$date" git commit --quiet --message "Handbook: ${changes[version - 1]}"
  said="$folder/version-$version.txt"
  "$omk" eval --report-only --executor replay --recordings "$example/recordings" >"$said" 2>&1 || { cat "$said" >&2; exit 1; }
done
"$omk" trend
echo
echo "pages: $omk report --reports-dir $OMK_HOME/reports"
