"""Builds wheels (PEP 427, PEP 517) with the standard library alone: no downloads, no compilation.

`pip install .` builds one that uses an installed library, make-wheel one that contains the library.
"""

import base64
import hashlib
import os
import re
import subprocess
import zipfile
from pathlib import Path
from typing import Any, List, Mapping, Optional, Union

HERE = Path(__file__).resolve().parent
LICENCE = HERE.parent.parent / "LICENSE"
LIBRARY = "libfaceverify.so.0"
VERSION = re.findall(r'^__version__ = "(.+)"$', (HERE / "faceverify" / "__init__.py").read_text(), re.MULTILINE)[0]

METADATA = f"""\
Metadata-Version: 2.1
Name: faceverify
Version: {VERSION}
Summary: Compares a selfie with a document portrait, offline, and says why
License: Apache-2.0
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: Implementation :: CPython
Classifier: Typing :: Typed
Requires-Python: >=3.9
Provides-Extra: ray
Requires-Dist: ray[data]>=2.9; extra == "ray"
Description-Content-Type: text/markdown

"""


def build_editable(folder: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    """Builds a wheel that contains only the path of this folder (PEP 660)."""
    record = HERE / "faceverify" / "library-path.txt"
    library = installed_library()
    if library:
        record.write_text(f"{library}\n", encoding="utf-8")
    else:
        record.unlink(missing_ok=True)
    return write_wheel(Path(folder), "py3-none-any", {"faceverify.pth": f"{HERE}\n".encode()}, modules=False)


def build_wheel(folder: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    library = installed_library()
    return write_wheel(
        Path(folder), "py3-none-any", {"faceverify/library-path.txt": f"{library}\n".encode()} if library else {}
    )


def installed_library() -> Optional[Path]:
    """Returns the library in the prefix FACEVERIFY_PREFIX, or else in the one that pkg-config reports."""
    prefix = os.environ.get("FACEVERIFY_PREFIX")
    if prefix:
        return library_in(Path(prefix).resolve())
    try:
        found = subprocess.check_output(["pkg-config", "--variable=libdir", "faceverify"], stderr=subprocess.DEVNULL)
    except (OSError, subprocess.CalledProcessError):
        return None
    library = Path(os.path.realpath(found.decode().strip())) / LIBRARY
    return library if library.exists() else None


def library_in(prefix: Path) -> Path:
    found = sorted(prefix.glob(f"lib*/{LIBRARY}")) + sorted(prefix.glob(f"lib/*/{LIBRARY}"))
    if not found:
        raise SystemExit(f"faceverify: no {LIBRARY} in {prefix}/lib, lib64 or lib/*: install libfaceverify there first")
    return found[0]


def write_wheel(folder: Path, tag: str, extra: Mapping[str, Union[bytes, Path]], modules: bool = True) -> str:
    """Writes the wheel of this package and returns its name; `extra` maps paths to contents or files."""
    info = f"faceverify-{VERSION}.dist-info"
    name = f"faceverify-{VERSION}-{tag}.whl"
    files: List[str] = []
    pure = str(tag.endswith("-any")).lower()
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as wheel:

        def write(path: str, content: bytes) -> None:
            entry = zipfile.ZipInfo(path)  # with a fixed date: builds are reproducible
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o100644 << 16
            wheel.writestr(entry, content)

        def add(path: str, source: Union[bytes, Path]) -> None:
            content = source if isinstance(source, bytes) else source.read_bytes()
            write(path, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            files.append(f"{path},sha256={digest},{len(content)}\n")

        if modules:
            for file in sorted((HERE / "faceverify").iterdir()):
                if file.suffix in (".py", ".pyi", ".typed"):
                    add(f"faceverify/{file.name}", file)
        for path, source in extra.items():
            add(path, source)
        add(f"{info}/METADATA", METADATA.encode() + (HERE / "README.md").read_bytes())
        wheel_file = f"Wheel-Version: 1.0\nGenerator: faceverify\nRoot-Is-Purelib: {pure}\nTag: {tag}\n"
        add(f"{info}/WHEEL", wheel_file.encode())
        if LICENCE.exists():  # absent if this folder was copied alone: METADATA names the licence
            add(f"{info}/licenses/LICENSE", LICENCE)
        write(f"{info}/RECORD", ("".join(files) + f"{info}/RECORD,,\n").encode())
    return name
