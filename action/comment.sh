#!/usr/bin/env bash
# Writes the comment on the pull request, or updates the one that is there: it is known by the hidden marker in its first
# line. The verdict that it had stays as one line.
#
# OMK_DIRECTORY: where comment.md is. OMK_PAGE: where the page of the run can be had; may be empty. OMK_PAGE_URL: where a
# browser opens report.html itself, so that samples link to their places in it; may be empty. OMK_PULL_REQUEST: its number. OMK_TOKEN: a token that may write comments.
# GITHUB_API_URL, GITHUB_REPOSITORY: the runner's.
set -euo pipefail

comments="$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/$OMK_PULL_REQUEST/comments"
api() { # method, address, body's file
  curl --silent --show-error --fail-with-body --retry 3 --request "$1" \
    --header "Authorization: Bearer $OMK_TOKEN" --header "Accept: application/vnd.github+json" \
    ${3:+--header "Content-Type: application/json" --data-binary "@$3"} "$2"
}

new="$OMK_DIRECTORY/comment.md"
marker="$(head -n 1 "$new")"
id=""
earlier=""
for page in $(seq 1 20); do
  listed="$(api GET "$comments?per_page=100&page=$page")"
  found="$(jq --arg marker "$marker" '[.[] | select(.body | startswith($marker))][0] // empty' <<<"$listed")"
  if [ -n "$found" ]; then
    id="$(jq -r .id <<<"$found")"
    earlier="$(jq -r .body <<<"$found" | tr -d '\r' | grep -m 1 '^> \*\*' | sed 's/^> //; s/ *$//' || true)"
    break
  fi
  [ "$(jq length <<<"$listed")" -lt 100 ] && break
done

body="$OMK_DIRECTORY/comment.json"
# What models wrote stands above the last of the marks.
jq --null-input --rawfile text "$new" --arg earlier "$earlier" --arg url "${OMK_PAGE_URL:-}" --arg page "${OMK_PAGE_URL:-${OMK_PAGE:-}}" \
  '{body: ($text | gsub("<!-- omk:\\[ -->(?<name>[^\n]*?)<!-- omk:\\](?<place>s-[0-9]+) -->"; if $url == "" then .name else "[\(.name)](\($url)#\(.place))" end)
    | sub("(?<above>[\\s\\S]*)<!-- omk:page (?<words>[^>]*) -->"; .above + if $page == "" then "" else "[\(.words)](\($page))\n" end)
    | sub("(?<above>[\\s\\S]*)<!-- omk:earlier (?<words>[^>]*) -->"; .above + if $earlier == "" then "" else "<sub>\(.words) \($earlier)</sub>" end))}' >"$body"
if [ -n "$id" ]; then
  api PATCH "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/comments/$id" "$body" >/dev/null
  echo "updated comment $id"
else
  api POST "$comments" "$body" >/dev/null
  echo "wrote a comment"
fi
