import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path
from unittest import mock

from support import BINDING, ROOT, faceverify, needs

from faceverify import _base

OFFLINE = ("--no-index", "--no-deps", "--no-build-isolation", "--no-cache-dir", "--quiet")


@needs("setuptools")
class PackagingTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()

    def prefix(self, *parts):
        prefix = self.folder / "prefix"
        library = prefix.joinpath(*parts, "libfaceverify.so.0")
        library.parent.mkdir(parents=True)
        library.write_bytes(b"a library")
        return prefix, library

    def copied_out(self):
        """The folder of the binding alone, outside the project."""
        copied = self.folder / "alone" / "python"
        ignored = shutil.ignore_patterns("__pycache__", "library-path.txt", "build", "*.egg-info")
        shutil.copytree(BINDING, copied, ignore=ignored)
        return copied

    def found(self, **environment):
        """Returns the library that setup.py finds."""
        spec = importlib.util.spec_from_file_location("setup", BINDING / "setup.py")
        setup = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(setup)
        with mock.patch.dict(os.environ, environment):
            return setup.installed_library()

    def test_a_prefix_is_searched(self):
        for parts in (("lib",), ("lib64",), ("lib", "x86_64-linux-gnu")):
            with self.subTest(parts):
                prefix, library = self.prefix(*parts)
                self.assertEqual(self.found(FACEVERIFY_PREFIX=str(prefix)), library)
                shutil.rmtree(prefix)

    def test_a_prefix_without_the_library_is_rejected(self):
        with self.assertRaisesRegex(SystemExit, "install libfaceverify there first"):
            self.found(FACEVERIFY_PREFIX=str(self.folder))

    @unittest.skipUnless(shutil.which("pkg-config"), "not installed: pkg-config")
    def test_pkg_config_is_queried(self):
        prefix, library = self.prefix("lib")
        self.folder.joinpath("faceverify.pc").write_text(
            f"libdir={prefix}/lib\nName: faceverify\nDescription: a library\nVersion: 0.2.0\n"
        )
        self.assertEqual(self.found(FACEVERIFY_PREFIX="", PKG_CONFIG_PATH=str(self.folder)), library)

    def test_without_either_nothing_is_found(self):
        self.assertIsNone(self.found(FACEVERIFY_PREFIX="", PATH=""))

    @needs("wheel")
    def test_a_wheel_has_the_modules_and_the_library_of_the_prefix(self):
        prefix, library = self.prefix("lib")
        environment = {**os.environ, "FACEVERIFY_PREFIX": str(prefix), "SOURCE_DATE_EPOCH": "315532800"}
        hashes = set()
        for name in ("one", "two"):
            command = [sys.executable, "-m", "pip", "wheel", *OFFLINE, "--wheel-dir", str(self.folder / name)]
            subprocess.run([*command, str(self.copied_out())], env=environment, check=True)
            shutil.rmtree(self.folder / "alone")
            (file,) = (self.folder / name).iterdir()
            self.assertEqual(file.name, f"faceverify-{faceverify.__version__}-py3-none-any.whl")
            hashes.add(hashlib.sha256(file.read_bytes()).hexdigest())
        self.assertEqual(len(hashes), 1, "the same input gives the same wheel")
        with zipfile.ZipFile(file) as wheel:
            self.assertEqual(wheel.read("faceverify/library-path.txt").decode(), f"{library}\n")
            modules = {file.name for file in (BINDING / "faceverify").iterdir() if file.is_file()}
            packed = {Path(name).name for name in wheel.namelist() if name.startswith("faceverify/")}
            self.assertEqual(packed, modules | {"library-path.txt"})
            metadata = wheel.read(f"faceverify-{faceverify.__version__}.dist-info/METADATA").decode()
            self.assertIn("Requires-Python: >=3.9", metadata)
            self.assertRegex(metadata, r"Requires-Dist: ray\[data\] ?\(?>=2.9\)? ?; extra == .ray.")

    @needs("wheel")
    @unittest.skipUnless(os.path.isabs(_base.find(BINDING / "faceverify")), "the loader finds the library")
    # Rows: J2
    def test_pip_installs_it(self):
        library = Path(_base.find(BINDING / "faceverify")).resolve()
        prefix = self.folder / "prefix"
        (prefix / "lib").mkdir(parents=True)
        os.symlink(library, prefix / "lib" / "libfaceverify.so.0")
        environment = {k: v for k, v in os.environ.items() if k not in ("FACEVERIFY_LIBRARY", "PYTHONPATH")}
        environment["LD_LIBRARY_PATH"] = f"{library.parent}:{library.parent}/faceverify"
        venv = self.folder / "venv"
        python = str(venv / "bin" / "python")
        try:
            command = [sys.executable, "-m", "venv", "--system-site-packages", str(venv)]
            subprocess.run(command, check=True, stdout=subprocess.PIPE)
        except subprocess.CalledProcessError:
            self.skipTest("not installed: python3-venv")
        copied = self.copied_out()
        program = "import faceverify; print(faceverify.__file__, faceverify.library_version)"
        for options, expected in ([], venv), (["--editable"], copied):
            with self.subTest(options=options):
                subprocess.run(
                    [python, "-m", "pip", "install", *OFFLINE, *options, str(copied)],
                    env={**environment, "FACEVERIFY_PREFIX": str(prefix)},
                    check=True,
                )
                output = subprocess.check_output([python, "-c", program], env=environment, cwd=self.folder)
                place, version = output.decode().split()
                self.assertTrue(Path(place).is_relative_to(expected), place)
                self.assertEqual(version, faceverify.library_version)

    @unittest.skipUnless((ROOT / "Package.swift").exists(), "the folder alone")
    def test_the_licence_is_that_of_the_project(self):
        self.assertEqual((BINDING / "LICENSE").read_text(), (ROOT / "LICENSE").read_text())


@needs("setuptools")
class MakeWheelTests(unittest.TestCase):
    def make(self, *arguments):
        process = subprocess.run(
            [sys.executable, str(BINDING / "make-wheel"), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        return process.returncode, process.stdout.decode(), process.stderr.decode()

    def test_help(self):
        code, output, _ = self.make("--help")
        self.assertEqual(code, 0)
        self.assertIn("make-wheel PREFIX [FOLDER]", output)

    def test_usage_errors(self):
        for arguments in ((), ("--fast",), ("a", "b", "c")):
            self.assertEqual(self.make(*arguments), (2, "", "usage: make-wheel PREFIX [FOLDER]\n"))

    def test_a_prefix_without_the_library_is_rejected(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in ("share/faceverify", "share/doc/faceverify", "lib"):
                Path(folder, part).mkdir(parents=True)
            code, _, error = self.make(folder, folder)
        self.assertEqual(code, 1)
        self.assertIn("install libfaceverify there first", error)
