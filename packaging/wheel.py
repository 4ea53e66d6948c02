"""Packs the stage directory as a wheel: `pip install omk` puts both commands into the environment's bin.

A wheel has no links: the second command is a script that starts the program under its name.
"""

import base64
import csv
import hashlib
import io
import os
import re
import stat
import sys
import time
import zipfile

from archive import EPOCH, read_tree

# Libraries that every manylinux system has, as far as our programs may need them.
MANYLINUX = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libdl.so.2", "libpthread.so.0", "librt.so.1"}


def platform_tag(target):
    """Returns the wheel's platform: on Linux by the glibc version that the binaries need."""
    arch = target.split("-")[0]
    if target.endswith("-linux-gnu"):
        others = {name for name in os.environ["needed"].split() if not name.startswith("ld-linux")} - MANYLINUX
        if others:
            sys.exit(f"no manylinux wheel: the binaries need {', '.join(sorted(others))}")
        return f"manylinux_{os.environ['glibc'].replace('.', '_')}_{arch}"
    if target.endswith("-apple-darwin"):
        arm = arch == "aarch64"
        least = os.environ.get("MACOSX_DEPLOYMENT_TARGET", "11.0" if arm else "10.12").replace(".", "_")
        return f"macosx_{least}_{'arm64' if arm else arch}"
    if "-windows-" in target:
        return {"x86_64": "win_amd64", "aarch64": "win_arm64"}[arch]
    sys.exit(f"no wheel for {target}")


def python_version(version):
    """Returns a Cargo version in the spelling of PEP 440."""
    match = re.fullmatch(r"([0-9.]+)(?:-(alpha|beta|rc)\.?([0-9]+))?", version)
    if not match:
        sys.exit(f"no Python version for {version}")
    release, stage, number = match.groups()
    return release + ({"alpha": "a", "beta": "b", "rc": "rc"}[stage] + number if stage else "")


stage, out, repository = sys.argv[1], os.environ["out"], os.environ["repository"]
version, tag = python_version(os.environ["version"]), platform_tag(os.environ["target"])
tree = read_tree(stage)
info, data = f"omk-{version}.dist-info", f"omk-{version}.data"
text = lambda name: tree[name][0].decode()  # noqa: E731

metadata = f"""Metadata-Version: 2.4
Name: omk
Version: {version}
Summary: Compares versions of prompts, skills and knowledge bases, and decides which one to ship
License-Expression: MIT
License-File: LICENSE
License-File: THIRD-PARTY-LICENSES.txt
Keywords: llm,evaluation,prompt,skill,agent
Requires-Python: >=3.8
Project-URL: Repository, {repository}
Project-URL: Changelog, {repository}/blob/main/CHANGELOG.md
Description-Content-Type: text/markdown

{text("README.md")}"""

second = b'''"""Starts the program `omk` beside this command as `eval-skills`."""

import os
import signal
import subprocess
import sys


def main():
    is_windows = os.name == "nt"
    folder = os.path.dirname(os.path.realpath(sys.argv[0]))
    program = os.path.join(folder, "omk.exe" if is_windows else "omk")
    arguments = ["eval-skills", *sys.argv[1:]]
    try:
        if is_windows:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the program, too, which ends in order
            sys.exit(subprocess.call(arguments, executable=program))
        os.execv(program, arguments)
    except OSError as error:
        sys.exit(f"eval-skills: {program}: {error.strerror}; install omk again")
'''
files = {
    "_omk_eval_skills.py": (second, False),
    f"{info}/entry_points.txt": (b"[console_scripts]\neval-skills = _omk_eval_skills:main\n", False),
    f"{info}/METADATA": (metadata.encode(), False),
    f"{info}/WHEEL": (
        f"Wheel-Version: 1.0\nGenerator: omk-packaging\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n".encode(),
        False,
    ),
    f"{info}/licenses/LICENSE": tree["LICENSE"],
    f"{info}/licenses/THIRD-PARTY-LICENSES.txt": tree["THIRD-PARTY-LICENSES.txt"],
    f"{info}/sboms/omk.cdx.json": tree["sbom.cdx.json"],
}
# Directories below the environment's root; each shell looks there if the environment's share is in its path.
places = {
    "bin/omk": "scripts/omk",
    "bin/omk.exe": "scripts/omk.exe",
    "man": "data/share/man/man1",
    "completions/omk.bash": "data/share/bash-completion/completions/omk",
    "completions/_omk": "data/share/zsh/site-functions/_omk",
    "completions/omk.fish": "data/share/fish/vendor_completions.d/omk.fish",
}
for name, content in tree.items():
    folder, _, base = name.partition("/")
    if name in places:
        files[f"{data}/{places[name]}"] = content
    elif folder in places:
        files[f"{data}/{places[folder]}/{base}"] = content

record = io.StringIO()
rows = csv.writer(record, lineterminator="\n")
for name, (content, _) in sorted(files.items()):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    rows.writerow([name, f"sha256={digest}", len(content)])
rows.writerow([f"{info}/RECORD", "", ""])

path = f"{out}/omk-{version}-py3-none-{tag}.whl"
ordered = sorted(files.items(), key=lambda file: (".dist-info/" in file[0], file[0]))
with zipfile.ZipFile(path, "w") as wheel:
    for name, (content, program) in [*ordered, (f"{info}/RECORD", (record.getvalue().encode(), False))]:
        # ZIP has no time before 1980.
        entry = zipfile.ZipInfo(name, time.gmtime(max(EPOCH, 315532800))[:6])
        entry.external_attr = (stat.S_IFREG | (0o755 if program else 0o644)) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.create_system = 3
        wheel.writestr(entry, content)
print(f"{path} ({os.path.getsize(path) / 1e6:.1f} MB)")
