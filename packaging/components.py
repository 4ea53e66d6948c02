"""Writes the SBOM (CycloneDX 1.6) and the licence texts of what is linked into the program.

Linked are the crates of `cargo tree` with normal edges, without procedural macros, for the target; the C code that
some of them bundle; and Rust's standard library. A crate that compiles C code and is not in BUNDLED, or a crate
without a licence text, is an error.
"""

import html
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET, VERSION = os.environ["target"], os.environ["version"]

# C code in crates: component, licence, file and pattern of the version (none: the crate's own version).
BUNDLED = {
    "libsqlite3-sys": ("SQLite", "blessing", "sqlite3/sqlite3.h", r'#define SQLITE_VERSION +"([^"]+)"'),
    "rquickjs-sys": (
        "QuickJS-ng",
        "MIT",
        "quickjs/quickjs.h",
        r"QJS_VERSION_MAJOR (\d+)\s+#define QJS_VERSION_MINOR (\d+)\s+#define QJS_VERSION_PATCH (\d+)",
    ),
    "ring": ("BoringSSL (parts)", "Apache-2.0 AND ISC", None, None),
    "tree-sitter": ("tree-sitter C library", "MIT", None, None),
    "tree-sitter-bash": ("tree-sitter-bash C parser", "MIT", None, None),
}
LICENCE_FILE = re.compile(r"(un)?licen[cs]e|copying|copyright|notice", re.IGNORECASE)


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode()


def linked_crates():
    """Returns (name, version) of every crate that is linked into the program."""
    tree = ["cargo", "tree", "--locked", "--edges", "normal,no-proc-macro", "--target", TARGET]
    lines = run(*tree, "--package", "omk-both", "--prefix", "none", "--format", "{p}")
    words = [line.split() for line in lines.splitlines() if line.strip()]
    return {(line[0], line[1].removeprefix("v")) for line in words}


def checksums():
    """Returns the SHA-256 of crates' archives by (name, version), from Cargo.lock."""
    package = re.compile(r'name = "(.+)"\nversion = "(.+)"\nsource = .+\nchecksum = "(.+)"')
    return {(name, version): sum for name, version, sum in package.findall((ROOT / "Cargo.lock").read_text())}


def spdx(licence):
    """Returns a licence expression in today's spelling: older manifests have a slash for OR."""
    return re.sub(r"\s*/\s*", " OR ", licence)


def bundled(name, version, folder):
    """Returns the components of C code in a crate."""
    component, licence, file, pattern = BUNDLED[name]
    if file:
        match = re.search(pattern, (folder / file).read_text(errors="replace"))
        version = ".".join(match.groups())
    reference = f"c:{name}/{component}@{version}"
    return [
        {
            "type": "library",
            "bom-ref": reference,
            "name": component,
            "version": version,
            "licenses": [{"expression": licence}],
        }
    ]


def licence_texts(package):
    """Returns the licence texts in a crate's archive; a crate under MIT without one gets MIT's with its authors."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.rglob("*") if path.is_file() and LICENCE_FILE.match(path.name))
    files = [path for path in files if path.suffix.lower() in ("", ".txt", ".md", ".mit", ".apache") or "-" in path.name]
    if files:
        return [path.read_text(errors="replace").strip() for path in files]
    if "MIT" not in re.split(r"[ /]+", package["license"]):
        sys.exit(f"{package['name']} has no licence text and is not under MIT")
    authors = ", ".join(package["authors"]) or f"The authors of {package['name']}"
    return [re.sub("Copyright .*", f"Copyright (c) {authors}", (ROOT / "LICENSE").read_text()).strip()]


def standard_library():
    """Returns version and copyright notices of Rust's standard library, from the toolchain."""
    version = run("rustc", "--version").split()[1]
    notices = pathlib.Path(run("rustc", "--print", "sysroot").strip()) / "share/doc/rust/COPYRIGHT-library.html"
    text = re.sub(r"(?s)<head>.*?</head>", "", notices.read_text())
    return version, re.sub(r"\n\s*\n+", "\n\n", html.unescape(re.sub(r"<[^>]+>", "", text))).strip()


def main(sbom_path, texts_path):
    metadata = json.loads(run("cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", TARGET))
    packages = {(package["name"], package["version"]): package for package in metadata["packages"]}
    linked, sums = linked_crates(), checksums()
    references = {packages[key]["id"]: f"crate:{key[0]}@{key[1]}" for key in linked}
    components, texts = [], {}
    for key in sorted(linked):
        name, version = key
        package = packages[key]
        component = {
            "type": "library",
            "bom-ref": references[package["id"]],
            "name": name,
            "version": version,
            "licenses": [{"expression": spdx(package["license"])}],
        }
        if package["source"]:
            component["purl"] = f"pkg:cargo/{name}@{version}"
            component["hashes"] = [{"alg": "SHA-256", "content": sums[key]}]
            for text in licence_texts(package):
                texts.setdefault(text, []).append(f"{name} {version} ({spdx(package['license'])})")
        if name in BUNDLED:
            component["components"] = bundled(name, version, pathlib.Path(package["manifest_path"]).parent)
        elif any(need["kind"] == "build" and need["name"] in ("cc", "cmake") for need in package["dependencies"]):
            sys.exit(f"{name} compiles C code: name it in BUNDLED")
        components.append(component)

    rust, notices = standard_library()
    components.append(
        {
            "type": "library",
            "bom-ref": f"rust-std@{rust}",
            "name": "std",
            "version": rust,
            "description": "Rust's standard library",
            "licenses": [{"expression": "MIT OR Apache-2.0"}],
        }
    )
    texts.setdefault(notices, []).append(f"Rust's standard library {rust} (MIT OR Apache-2.0)")

    graph = []
    for node in metadata["resolve"]["nodes"]:
        if node["id"] in references:
            needs = {need["pkg"] for need in node["deps"] if any(kind["kind"] is None for kind in need["dep_kinds"])}
            depends = sorted(references[need] for need in needs if need in references)
            graph.append({"ref": references[node["id"]], "dependsOn": depends})
    graph.sort(key=lambda entry: entry["ref"])
    graph.append({"ref": "omk", "dependsOn": [f"crate:omk-both@{VERSION}", f"rust-std@{rust}"]})

    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"])))
    sbom = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": stamp,
            "component": {
                "type": "application",
                "bom-ref": "omk",
                "name": "omk",
                "version": VERSION,
                "description": f"omk and eval-skills for {TARGET}",
                "licenses": [{"expression": "MIT"}],
            },
        },
        "components": components,
        "dependencies": graph,
    }
    sbom["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(sbom, sort_keys=True))}"
    pathlib.Path(sbom_path).write_text(json.dumps(sbom, indent=1) + "\n", encoding="utf-8", newline="\n")

    with open(texts_path, "w", encoding="utf-8", newline="\n") as file:
        file.write(f"omk and eval-skills {VERSION} are under the MIT licence. Linked into them for {TARGET}:\n")
        for text, users in texts.items():
            file.write(f"\n{'=' * 80}\n" + "".join(f"{user}\n" for user in users) + f"{'-' * 80}\n\n{text}\n")
        public = [name for name, bundle in BUNDLED.items() if bundle[1] == "blessing"]
        file.write(f"\n{'=' * 80}\nSQLite (in {', '.join(public)}) is in the public domain.\n")
    print(f"{len(components)} components, {len(texts)} licence texts")


main(*sys.argv[1:])
