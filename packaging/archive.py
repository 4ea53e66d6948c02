"""Writes a reproducible tar.gz: sorted names, no owners, times of SOURCE_DATE_EPOCH, a program once with links to it."""

import gzip
import io
import os
import pathlib
import tarfile

EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])


def is_program(path):
    """Returns true for the program's names and the launchers; Windows has no mode to ask for."""
    return path.parent.name == "bin"


def read_tree(folder):
    """Returns the files below a folder as {name: (bytes, is_program)}."""
    folder = pathlib.Path(folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): (path.read_bytes(), is_program(path)) for path in files}


def write_tar(path, prefix, files):
    """Writes files, as `read_tree` returns them, below `prefix`."""
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=EPOCH) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
            first = {}
            # Who takes one file out takes `omk`: it is the file, and the other name a link to it.
            for name, (data, program) in sorted(files.items(), key=lambda file: (not file[0].startswith("bin/omk"), file[0])):
                entry = tarfile.TarInfo(f"{prefix}/{name}")
                entry.mtime, entry.mode = EPOCH, 0o755 if program else 0o644
                if program and first.setdefault(data, entry.name) != entry.name:
                    entry.type, entry.linkname = tarfile.LNKTYPE, first[data]
                else:
                    entry.size = len(data)
                tar.addfile(entry, io.BytesIO(data))
    print(f"{path} ({os.path.getsize(path) / 1e6:.1f} MB)")
