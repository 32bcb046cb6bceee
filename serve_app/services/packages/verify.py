"""Verifies a package: python verify.py PACKAGE.zip

Every file has the SHA-256 that the manifest says, none is missing and none was added, and the entries form one chain.
It needs only the standard library, and no network. The signature shows who made the package, see README.txt.
"""

import hashlib
import json
import sys
import zipfile
import zlib

MANIFEST = "manifest.jsonl"
UNLISTED = {MANIFEST, "manifest.sig", "public_key.pem"}
_PART = 1 << 20
_DAMAGED = (
    *(OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error),
)


def chained(before: str, path: str, sha256: str, size: int) -> str:
    """The link of an entry: it depends on all entries before."""
    return hashlib.sha256(f"{before}\n{path}\n{sha256}\n{size}".encode()).hexdigest()


def hash_of(package: zipfile.ZipFile, path: str) -> "tuple[str, int]":
    """The SHA-256 and the size of a file."""
    digest, size = hashlib.sha256(), 0
    with package.open(path) as file:
        while part := file.read(_PART):
            digest.update(part)
            size += len(part)
    return digest.hexdigest(), size


def problems_of(package: zipfile.ZipFile) -> "list[str]":
    """What is wrong with the package; nothing if it is whole."""
    header, *lines = package.read(MANIFEST).decode().removesuffix("\n").split("\n")
    link, found, listed = hashlib.sha256(header.encode()).hexdigest(), [], set()
    names = package.namelist()
    end = json.loads(lines.pop()) if lines else {}
    for line in lines:
        entry = json.loads(line)
        path = entry["path"]
        link = chained(link, path, entry["sha256"], entry["size"])
        listed.add(path)
        if entry["chain"] != link:
            found.append(f"the chain is broken at {path}")
        if path not in names:
            found.append(f"{path} is missing")
        elif hash_of(package, path) != (entry["sha256"], entry["size"]):
            found.append(f"{path} was changed")
    if end.get("end") != link or end.get("files") != len(lines):
        found.append("the manifest is not whole")
    found += [f"{name} is in the package more than once" for name in sorted(set(names)) if names.count(name) > 1]
    return found + [f"{name} was added" for name in sorted(set(names) - listed - UNLISTED)]


def main(path: str) -> int:
    """Prints what is wrong, or that the package is whole; the exit code is 0 only then."""
    try:
        with zipfile.ZipFile(path) as package:
            found = problems_of(package)
            manifest = package.read(MANIFEST)
    except _DAMAGED as error:
        found, manifest = [f"it is no package, or it is damaged ({error})"], b""
    for problem in found:
        sys.stdout.write(f"{path}: {problem}\n")
    if not found:
        sys.stdout.write(f"{path}: whole. SHA-256 of {MANIFEST}: {hashlib.sha256(manifest).hexdigest()}\n")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python verify.py PACKAGE.zip")
    sys.exit(main(sys.argv[1]))
