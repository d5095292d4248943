"""Records in the package which installed library it uses; pyproject.toml has everything else."""

import os
import subprocess
from pathlib import Path
from typing import Optional

from setuptools import setup
from setuptools.command.build_py import build_py

LIBRARY = "libfaceverify.so.0"
PACKAGE = Path(__file__).resolve().parent / "faceverify"


class BuildPackage(build_py):
    def run(self) -> None:
        super().run()
        built = PACKAGE if self.editable_mode else Path(self.build_lib, "faceverify")
        library = None if (PACKAGE / "_native").exists() else installed_library()
        if library is None:
            (built / "library-path.txt").unlink(missing_ok=True)
        else:
            (built / "library-path.txt").write_text(f"{library}\n", encoding="utf-8")


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


if __name__ == "__main__":
    setup(cmdclass={"build_py": BuildPackage})
