"""Licences and SBOMs of what is linked into an artifact.

Cargo says which crates are linked for a target; macros and other tools of the build are not. `notices` collects the
texts of their licences, each text once, and `bom` lists them in CycloneDX's JSON. Neither needs a tool that has to be
compiled.

    release/notices.py page JSON FILE    notices of the page: the engine's crates, and the packages that Vite lists in JSON
    release/notices.py PACKAGE FILE      notices of a package of the workspace
"""

import json
import re
import sys
import uuid
from pathlib import Path

from common import ROOT, TRIPLE, metadata, output

WASM = "wasm32-unknown-unknown"
# What each artifact is linked from: packages of the workspace with their target and options.
LINKED = {
    "newmarket": [("newmarket", TRIPLE, []), ("newmarket-c", WASM, ["--no-default-features"])],
    "newmarket-c": [("newmarket-c", TRIPLE, [])],
    "newmarket-engine": [("newmarket-c", WASM, ["--no-default-features"])],
    "newmarket-python": [("newmarket-python", TRIPLE, [])],
}
FILE = re.compile(r"(licen[sc]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
# Of licences that have no blanks to fill in, or whose blanks the repository's own text fills.
STANDARD = {"MIT": "LICENSE-MIT", "Apache-2.0": "LICENSE-APACHE"}


def tree(package, target, options):
    """The names and versions of all crates that are linked into a package."""
    lines = output(
        "cargo", "tree", "--locked", "-p", package, "-e", "normal,no-proc-macro", "--prefix", "none",
        "--target", target, "--format", "{p}", *options,
    )
    return {tuple(line.split()[:2]) for line in lines.splitlines() if line}


def crates(artifact):
    """Cargo's entries of all crates of others that are linked into an artifact, by name and version."""
    wanted = set().union(*(tree(*linked) for linked in LINKED[artifact]))
    found = {}
    for package in metadata()["packages"]:
        if (package["name"], "v" + package["version"]) in wanted and package["source"] is not None:
            found[package["name"], package["version"]] = package
    return dict(sorted(found.items()))


def texts(package):
    """The texts of a crate's licences: its own files, else the standard texts."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and FILE.match(path.name) and path.suffix != ".rs")
    found = [path.read_text(errors="replace") for path in files]
    if not found:
        names = re.findall(r"[\w.-]+", package["license"] or "")
        found = [(ROOT / STANDARD[name]).read_text() for name in names if name in STANDARD]
    if not found:
        sys.exit(f"error: {package['name']} {package['version']} has no text of its licence {package['license']}")
    return found


def standard_library(artifact):
    """The entry and the texts of Rust's standard library; a module for browsers has its `core` and `alloc` alone."""
    rustc = dict(line.split(": ", 1) for line in output("rustc", "-vV").splitlines() if ": " in line)
    folder = Path(output("rustc", "--print", "sysroot").strip()) / "share/doc/rust"
    bare = all(target == WASM for _, target, _ in LINKED[artifact])
    files = [] if bare else [folder / "COPYRIGHT-library.html"]
    found = [re.sub(r"<[^>]+>", "", path.read_text()) for path in files if path.exists()]
    standard = [(ROOT / name).read_text() for name in STANDARD.values()]
    return {"name": "rust-std", "version": rustc["release"], "license": "MIT OR Apache-2.0"}, found + standard


def notices(artifact, packages=()):
    """A document with every text, and what it is of. `packages` are those of npm, as Vite lists them."""
    std, library = standard_library(artifact)
    parts = [(f"{std['name']} {std['version']}", std["license"], library)]
    for package in crates(artifact).values():
        parts.append((f"{package['name']} {package['version']}", package["license"], texts(package)))
    for package in packages:
        parts.append((f"{package['name']} {package['version']} (npm)", package["identifier"], [package["text"]]))
    lines = ["# Third-party notices", "", "This is linked in, each under one of its licences. The texts follow.", ""]
    lines += [f"- {name}: {licence}" for name, licence, _ in parts]
    of = {}
    for name, _, found in parts:
        for text in found:
            of.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    for text, names in of.values():
        lines += ["", "---", "", "For " + ", ".join(dict.fromkeys(names)) + ":", "", text.strip("\n")]
    return "\n".join(lines) + "\n"


def bom(artifact, name, version, packages=()):
    """The CycloneDX document of an artifact. The same input gives the same bytes."""
    std, _ = standard_library(artifact)
    found = crates(artifact)
    refs = {package["id"]: f"pkg:cargo/{package['name']}@{package['version']}" for package in found.values()}
    components = [component(f"pkg:generic/rust-std@{std['version']}", std["name"], std["version"], std["license"])]
    components += [component(refs[it["id"]], it["name"], it["version"], it["license"]) for it in found.values()]
    components += [
        component(f"pkg:npm/{it['name'].replace('@', '%40')}@{it['version']}", it["name"], it["version"], it["identifier"])
        for it in packages
    ]
    root = f"pkg:generic/{name}@{version}"
    edges = [{"ref": root, "dependsOn": [it["bom-ref"] for it in components]}]
    for node in metadata()["resolve"]["nodes"]:
        if node["id"] in refs:
            to = sorted({refs[dep["pkg"]] for dep in node["deps"] if dep["pkg"] in refs})
            edges.append({"ref": refs[node["id"]], "dependsOn": to})
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application", "bom-ref": root, "name": name, "version": version,
                "licenses": [{"expression": "MIT OR Apache-2.0"}],
            }
        },
        "components": components,
        "dependencies": edges,
    }
    serial = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(document, sort_keys=True))
    return json.dumps({"serialNumber": f"urn:uuid:{serial}"} | document, indent=1) + "\n"


def component(purl, name, version, licence):
    # Cargo once allowed a slash for "or".
    licence = re.sub(r" ?/ ?", " OR ", licence)
    return {
        "type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
        "licenses": [{"expression": licence}],
    }


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["page", listed, file]:
            text = notices("newmarket-engine", json.loads(Path(listed).read_text()))
        case [artifact, file] if artifact in LINKED:
            text = notices(artifact)
        case _:
            sys.exit(f"error: expected page JSON FILE, or one of {', '.join(LINKED)} and a FILE")
    Path(file).write_text(text)
