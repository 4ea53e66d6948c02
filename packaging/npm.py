"""Packs two npm packages: `omk`, a launcher, and the platform's package with the program, its optional dependency.

Neither has an install script. npm picks the platform's package by `os`, `cpu` and `libc`.
"""

import json
import os
import pathlib
import sys

from archive import read_tree, write_tar

# Rust target: `process.platform`, `process.arch`. npm skips an optional dependency that no release has.
PLATFORMS = {
    "x86_64-unknown-linux-gnu": ("linux", "x64"),
    "aarch64-unknown-linux-gnu": ("linux", "arm64"),
    "x86_64-apple-darwin": ("darwin", "x64"),
    "aarch64-apple-darwin": ("darwin", "arm64"),
    "x86_64-pc-windows-msvc": ("win32", "x64"),
}

stage, out, target = sys.argv[1], os.environ["out"], os.environ["target"]
version, repository = os.environ["version"], os.environ["repository"]
if target not in PLATFORMS:
    sys.exit(f"no npm package for {target}")
tree = read_tree(stage)


def pack(name, fields, files):
    package = {
        "name": name,
        "version": version,
        "license": "MIT",
        "repository": {"type": "git", "url": f"git+{repository}.git"},
        **fields,
    }
    files = {**files, "package.json": (f"{json.dumps(package, indent=2)}\n".encode(), False), "LICENSE": tree["LICENSE"]}
    # What `npm pack` puts everything below.
    write_tar(f"{out}/{name}-{version}.tgz", "package", files)


system, cpu = PLATFORMS[target]
fields = {"description": f"The program of omk for {system} {cpu}", "os": [system], "cpu": [cpu]}
if system == "linux":
    fields["libc"] = ["glibc"]
# Once: npm unpacks no links, and the launcher gives the program its name.
program = {name: file for name, file in tree.items() if name.startswith("bin/omk")}
notices = {name: tree[name] for name in ("THIRD-PARTY-LICENSES.txt", "sbom.cdx.json")}
readme = f"# omk-{system}-{cpu}\n\nThe program of the package `omk`, which installs this one.\n"
pack(f"omk-{system}-{cpu}", fields, {**program, **notices, "README.md": (readme.encode(), False)})

launcher = (pathlib.Path(__file__).parent / "npm/launch.js").read_bytes()
commands = {
    f"bin/{name}.js": (f'#!/usr/bin/env node\nrequire("../launch.js")("{name}");\n'.encode(), True)
    for name in ("omk", "eval-skills")
}
pack(
    "omk",
    {
        "description": "Compares versions of prompts, skills and knowledge bases, and decides which one to ship",
        "bin": {"omk": "bin/omk.js", "eval-skills": "bin/eval-skills.js"},
        "engines": {"node": ">=18"},
        "optionalDependencies": {f"omk-{system}-{cpu}": version for system, cpu in PLATFORMS.values()},
        "man": sorted(f"./{name}" for name in tree if name.startswith("man/")),
    },
    {
        **{name: file for name, file in tree.items() if name.startswith("man/")},
        **commands,
        "launch.js": (launcher, False),
        "README.md": tree["README.md"],
    },
)
