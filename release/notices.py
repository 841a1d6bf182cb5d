"""Licences and SBOMs of what is linked into an artifact.

Cargo says which crates are linked for a target; macros and other tools of the build are not. `notices` collects the
texts of their licences, each text once, and `bom` lists them in CycloneDX's JSON. Neither needs a tool that has to be
compiled.

    release/notices.py ARTIFACT FILE [TARGET]

ARTIFACT is a package of the workspace, `npm`, `players` or `page`. FILE gets the notices, or if
its name ends with .cdx.json, the SBOM of the file whose name it begins with.
"""

import functools
import html
import json
import re
import sys
import uuid
from pathlib import Path

from common import ROOT, TRIPLE, metadata, output, rustc, sysroot, version

WASM = "wasm32-unknown-unknown"
# What Vite has put into the page.
PAGE = ROOT / "web/assets/packages.json"
FILE = re.compile(r"(licen[sc]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
# What is not a library.
KINDS = {"newmarket": "application", "players": "machine-learning-model"}


def linked(artifact, target):
    """What an artifact is linked from: packages of the workspace, each with its target and an option."""
    module = ("newmarket-c", WASM, "--no-default-features")
    # The program and the wheel have the page inside, which has the module.
    parts = {"page": [module], "npm": [module], "players": []}
    within = [module] if has_page(artifact) else []
    return parts.get(artifact, [(artifact, target), *within])


def has_page(artifact):
    return artifact in ("newmarket", "newmarket-python", "page") and PAGE.exists()


def bundled(artifact):
    """The packages of npm in an artifact, as Vite lists them."""
    return json.loads(PAGE.read_text()) if has_page(artifact) else []


@functools.cache
def tree(package, target, *options):
    """The names and versions of all crates that are linked into a package, itself left out."""
    lines = output(
        "cargo", "tree", "--locked", "-p", package, "-e", "normal,no-proc-macro", "--prefix", "none",
        "--target", target, "--format", "{p}", *options,
    )
    return {tuple(line.split()[:2]) for line in lines.splitlines()[1:] if line}


def crates(artifact, target=TRIPLE):
    """Cargo's entries of all crates that are linked into an artifact, by name and version."""
    wanted = set().union(*(tree(*part) for part in linked(artifact, target)))
    found = {(it["name"], it["version"]): it for it in metadata()["packages"] if (it["name"], "v" + it["version"]) in wanted}
    return dict(sorted(found.items()))


def texts(package):
    """The texts of a crate's licences: its own files, else the standard text of one of its licences."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.is_file() and FILE.match(path.name) and path.suffix != ".rs")
    return [path.read_text(errors="replace") for path in files] or [standard(package)]


def standard(package):
    """The text of Apache-2.0, which has no blanks, or of MIT, with the names of the authors."""
    names = re.findall(r"[\w.-]+", package["license"] or "")
    if "Apache-2.0" in names:
        return (ROOT / "LICENSE-APACHE").read_text()
    if "MIT" in names:
        who = ", ".join(package["authors"]) or f"The authors of {package['name']}"
        return re.sub(r"(?m)^Copyright .*$", lambda _: f"Copyright (c) {who}", (ROOT / "LICENSE-MIT").read_text(), count=1)
    sys.exit(f"error: {package['name']} {package['version']} has no text of its licence {package['license']}")


def standard_library(parts):
    """The entry and the texts of Rust's standard library; a module for browsers has its `core` and `alloc` alone."""
    entry = {"name": "rust-std", "version": rustc()["release"], "license": "MIT OR Apache-2.0"}
    folder = sysroot() / "share/doc/rust"
    bare = all(target == WASM for _, target, *_ in parts)
    files = [] if bare else [folder / "COPYRIGHT-library.html"]
    found = [html.unescape(re.sub(r"<[^>]+>", "", path.read_text())) for path in files if path.exists()]
    return entry, [standard(entry), *found]


def notices(artifact, target=TRIPLE):
    """A document with every text of others, and what it is of."""
    parts = []
    if built := linked(artifact, target):
        std, library = standard_library(built)
        parts.append((f"{std['name']} {std['version']}", std["license"], library))
    for package in crates(artifact, target).values():
        if package["source"] is not None:
            parts.append((f"{package['name']} {package['version']}", package["license"], texts(package)))
    for package in bundled(artifact):
        parts.append((f"{package['name']} {package['version']} (npm)", package["identifier"], [package["text"]]))
    lines = ["# Third-party notices", ""]
    if not parts:
        return "\n".join([*lines, "Nothing of others is inside.", ""])
    lines += ["This is linked in, each under one of its licences. The texts follow.", ""]
    lines += [f"- {name}: {licence}" for name, licence, _ in parts]
    of = {}
    for name, _, found in parts:
        for text in found:
            of.setdefault(" ".join(text.split()), (text, []))[1].append(name)
    for text, names in of.values():
        lines += ["", "---", "", "For " + ", ".join(dict.fromkeys(names)) + ":", "", text.strip("\n")]
    return "\n".join(lines) + "\n"


def bom(artifact, name, target=TRIPLE):
    """The CycloneDX document of an artifact, which is a file of this name. The same input gives the same bytes."""
    number, _ = version()
    found = crates(artifact, target)
    refs = {package["id"]: f"pkg:cargo/{package['name']}@{package['version']}" for package in found.values()}
    components = []
    if built := linked(artifact, target):
        std, _ = standard_library(built)
        components.append(component(f"pkg:generic/rust-std@{std['version']}", std["name"], std["version"], std["license"]))
    components += [component(refs[it["id"]], it["name"], it["version"], it["license"]) for it in found.values()]
    components += [
        component(f"pkg:npm/{it['name'].replace('@', '%40')}@{it['version']}", it["name"], it["version"], it["identifier"])
        for it in bundled(artifact)
    ]
    root = f"pkg:generic/{name}@{number}"
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
                "type": KINDS.get(artifact, "library"), "bom-ref": root, "name": name, "version": number,
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
    if len(sys.argv) not in (3, 4):
        sys.exit("error: expected ARTIFACT FILE [TARGET]")
    artifact, file, *target = sys.argv[1:]
    described = Path(file).name.removesuffix(".cdx.json")
    Path(file).write_text(notices(artifact, *target) if file.endswith(described) else bom(artifact, described, *target))
