#!/usr/bin/env bash
# Evaluates what a pull request changes against the base branch. Leaves the comment, the summary and the annotations in a
# directory, shows the latter two, and puts the exit code into the step's outputs: the comment is written in any case.
#
# OMK_BINARY, OMK_TREATMENT, OMK_CONTROL, OMK_PROJECT, OMK_ARGUMENTS, OMK_BASE: the action's inputs.
# RUNNER_TEMP, GITHUB_OUTPUT, GITHUB_STEP_SUMMARY: the runner's.
set -euo pipefail

directory="$RUNNER_TEMP/omk-report"
rm -rf "$directory"
mkdir -p "$directory"

first="${OMK_TREATMENT%%,*}"
control="${OMK_CONTROL:-git:$OMK_BASE:$first}"
# Words as a shell reads them, but nothing is expanded or run.
arguments=()
if [ -n "${OMK_ARGUMENTS:-}" ]; then
  while IFS= read -r word; do arguments+=("$word"); done < <(xargs -n1 printf '%s\n' <<<"$OMK_ARGUMENTS")
fi

project="${OMK_PROJECT:-.}"
# Paths in the report are relative to the project, those of annotations to the repository.
folder="$project"
[ -d "$folder" ] || folder="$(dirname "$folder")"
suite=.
[ -d "$project" ] || suite="$(basename "$project")"
prefix="$(cd "$folder" && git rev-parse --show-prefix)"

set +e
(
  cd "$folder" && "$OMK_BINARY" eval "$suite" \
    --control "$control" --treatment "$OMK_TREATMENT" --since "$OMK_BASE" \
    --export "github=$directory/comment.md" --export "markdown=$directory/summary.md" \
    --export "github-annotations=$directory/annotations.txt" --export "junit=$directory/junit.xml" \
    --export "json=$directory/report.json" --export "html=$directory/report.html" ${arguments[@]+"${arguments[@]}"}
) 2>&1 | tee "$directory/log.txt"
code="${PIPESTATUS[0]}"
set -e

evaluated=false
if [ -s "$directory/comment.md" ]; then
  evaluated=true
  sed "s|^::\([a-z]*\) file=|::\1 file=$prefix|" "$directory/annotations.txt"
  cat "$directory/summary.md" >>"$GITHUB_STEP_SUMMARY"
else
  # Nothing changed, or nothing could be run: the log says which.
  { echo '```text'; tail -n 20 "$directory/log.txt" | tr '`' "'"; echo '```'; } >>"$GITHUB_STEP_SUMMARY"
fi
{
  echo "code=$code"
  echo "evaluated=$evaluated"
  echo "directory=$directory"
} >>"$GITHUB_OUTPUT"
