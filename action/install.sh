#!/usr/bin/env bash
# Installs omk: the binary of this action's release, if its reference is a release's tag and the release has one for this
# runner; else it is built from this action's source. A binary whose checksum differs is an error.
#
# OMK_ROOT: where to; a cached program there stays. OMK_REPOSITORY, OMK_REF: the action's. OMK_RELEASES: another address
# of the releases, whose tags are directories. RUNNER_OS, RUNNER_ARCH, RUNNER_TEMP, GITHUB_SERVER_URL: the runner's.
set -euo pipefail
[ -x "$OMK_ROOT/bin/omk" ] && exit 0
source="$(cd "$(dirname "$0")/.." && pwd)"
fail() { echo "::error title=omk::$*"; exit 1; }

build() { # reason
  echo "omk is built from source: $*"
  exec cargo install --locked --path "$source/crates/omk" --root "$OMK_ROOT"
}

fetch() { # name, file: ends with 1 if the release does not have it
  local status
  status="$(curl --silent --show-error --location --retry 3 --output "$2" --write-out '%{http_code}' "$release/$1")" ||
    fail "$release/$1 can't be downloaded; run again, or build omk and pass it as input binary"
  case "$status" in
    200) ;;
    404) return 1 ;;
    *) fail "$release/$1: HTTP status $status; run again, or build omk and pass it as input binary" ;;
  esac
}

version="$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"$/\1/p' "$source/Cargo.toml")"
# v1 and v1.2 are tags that move to the newest release.
case "${OMK_REPOSITORY:+v$version.}" in
  "${OMK_REF:-none}".*) ;;
  *) build "${OMK_REF:-this checkout} isn't the tag of a release" ;;
esac
case "${RUNNER_OS:-}-${RUNNER_ARCH:-}" in
  Linux-X64) target=x86_64-unknown-linux-gnu ;;
  Linux-ARM64) target=aarch64-unknown-linux-gnu ;;
  macOS-X64) target=x86_64-apple-darwin ;;
  macOS-ARM64) target=aarch64-apple-darwin ;;
  Windows-X64) target=x86_64-pc-windows-msvc ;;
  *) build "there are no binaries for ${RUNNER_OS:-this system} ${RUNNER_ARCH:-}" ;;
esac

release="${OMK_RELEASES:-${GITHUB_SERVER_URL:-}/$OMK_REPOSITORY/releases/download}/v$version"
archive="omk-$version-$target.tar.gz"
folder="$(mktemp -d "$RUNNER_TEMP/omk-release.XXXXXX")"
fetch SHA256SUMS "$folder/SHA256SUMS" || build "there is no release v$version"
grep " [ *]$archive\$" "$folder/SHA256SUMS" >"$folder/sum" || build "release v$version has no $archive"
fetch "$archive" "$folder/$archive" || build "release v$version has no $archive"
sum=(sha256sum)
command -v sha256sum >/dev/null || sum=(shasum -a 256)
(cd "$folder" && "${sum[@]}" --check --status sum) || fail "$archive of $release has another checksum than SHA256SUMS says"
# A path like `D:\…` is a host to tar.
(cd "$folder" && tar -xzf "$archive" --strip-components=1)
if ! "$folder/bin/omk" --version; then build "the binary of v$version does not start here"; fi
mkdir -p "$OMK_ROOT"
mv "$folder/bin" "$OMK_ROOT/bin"
rm -rf "$folder"
