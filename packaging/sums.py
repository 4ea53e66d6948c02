"""Writes SHA256SUMS of the packages in a directory."""

import hashlib
import pathlib
import sys

out = pathlib.Path(sys.argv[1])
files = sorted(path for path in out.iterdir() if path.is_file() and path.name != "SHA256SUMS")
lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
(out / "SHA256SUMS").write_bytes("".join(lines).encode())
print(f"{out / 'SHA256SUMS'} ({len(lines)} files)")
