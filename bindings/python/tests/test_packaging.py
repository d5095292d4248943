import base64
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

from support import BINDING, faceverify

from faceverify import _base


def load_backend(folder=BINDING):
    spec = importlib.util.spec_from_file_location("build_backend", folder / "build_backend.py")
    backend = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(backend)
    return backend


backend = load_backend()


class WheelTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def prefix(self, *parts):
        prefix = self.folder / "prefix"
        library = prefix.joinpath(*parts, "libfaceverify.so.0")
        library.parent.mkdir(parents=True)
        library.write_bytes(b"a library")
        return prefix, library

    def build(self, **environment):
        with mock.patch.dict(os.environ, environment):
            name = backend.build_wheel(str(self.folder))
        return zipfile.ZipFile(self.folder / name)

    def test_a_prefix_is_recorded(self):
        for parts in (("lib",), ("lib64",), ("lib", "x86_64-linux-gnu")):
            with self.subTest(parts):
                prefix, library = self.prefix(*parts)
                with self.build(FACEVERIFY_PREFIX=str(prefix)) as wheel:
                    self.assertEqual(wheel.read("faceverify/library-path.txt").decode(), f"{library.resolve()}\n")
                shutil.rmtree(prefix)

    def test_a_prefix_without_the_library(self):
        with self.assertRaisesRegex(SystemExit, "install libfaceverify there first"):
            self.build(FACEVERIFY_PREFIX=str(self.folder))

    @unittest.skipUnless(shutil.which("pkg-config"), "not installed: pkg-config")
    def test_pkg_config_is_asked(self):
        prefix, library = self.prefix("lib")
        self.folder.joinpath("faceverify.pc").write_text(
            f"libdir={prefix}/lib\nName: faceverify\nDescription: a library\nVersion: 0.2.0\n"
        )
        with self.build(FACEVERIFY_PREFIX="", PKG_CONFIG_PATH=str(self.folder)) as wheel:
            self.assertEqual(wheel.read("faceverify/library-path.txt").decode(), f"{library.resolve()}\n")

    def test_without_either_nothing_is_recorded(self):
        with self.build(FACEVERIFY_PREFIX="", PATH="") as wheel:
            self.assertNotIn("faceverify/library-path.txt", wheel.namelist())

    def test_the_record_is_right(self):
        with self.build(FACEVERIFY_PREFIX=str(self.prefix("lib")[0])) as wheel:
            info = f"faceverify-{faceverify.__version__}.dist-info"
            lines = wheel.read(f"{info}/RECORD").decode().splitlines()
            for line in lines[:-1]:
                path, digest, size = line.split(",")
                content = wheel.read(path)
                expected = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
                self.assertEqual((digest, size), (f"sha256={expected}", str(len(content))))
            self.assertEqual([line.split(",")[0] for line in lines], wheel.namelist())
            modules = sorted(file.name for file in (BINDING / "faceverify").iterdir() if file.is_file())
            packed = [Path(name).name for name in wheel.namelist() if name.startswith("faceverify/")]
            self.assertEqual(sorted(set(packed) - {"library-path.txt"}), sorted(set(modules) - {"library-path.txt"}))
            self.assertIn(f"{info}/licenses/LICENSE", wheel.namelist())
            metadata = wheel.read(f"{info}/METADATA").decode()
            self.assertIn("Requires-Python: >=3.9", metadata)
            self.assertIn('Requires-Dist: ray[data]>=2.9; extra == "ray"', metadata)

    def test_the_same_input_gives_the_same_wheel(self):
        made = []
        for name in ("one", "two"):
            folder = self.folder / name
            folder.mkdir()
            made.append((folder / backend.write_wheel(folder, "py3-none-any", {})).read_bytes())
        self.assertEqual(*made)

    def test_an_editable_wheel_points_here(self):
        copied = self.copied_out()
        prefix, library = self.prefix("lib")
        with mock.patch.dict(os.environ, FACEVERIFY_PREFIX=str(prefix)):
            name = load_backend(copied).build_editable(str(self.folder))
        with zipfile.ZipFile(self.folder / name) as wheel:
            self.assertEqual(wheel.read("faceverify.pth").decode(), f"{copied}\n")
            self.assertFalse([path for path in wheel.namelist() if path.startswith("faceverify/")])
        recorded = copied / "faceverify" / "library-path.txt"
        self.assertEqual(recorded.read_text(), f"{library.resolve()}\n")

    def copied_out(self):
        """The folder of the binding alone, outside the project."""
        copied = self.folder.resolve() / "alone" / "python"
        shutil.copytree(BINDING, copied, ignore=shutil.ignore_patterns("__pycache__", "library-path.txt"))
        return copied

    @unittest.skipUnless(os.path.isabs(_base.find(BINDING / "faceverify")), "the loader finds the library")
    # Rows: J2
    def test_pip_installs_it(self):
        library = Path(_base.find(BINDING / "faceverify")).resolve()
        prefix = self.folder / "prefix"
        (prefix / "lib").mkdir(parents=True)
        os.symlink(library, prefix / "lib" / "libfaceverify.so.0")
        environment = {k: v for k, v in os.environ.items() if k not in ("FACEVERIFY_LIBRARY", "PYTHONPATH")}
        environment["LD_LIBRARY_PATH"] = f"{library.parent}:{library.parent}/faceverify"
        venv = self.folder.resolve() / "venv"
        python = str(venv / "bin" / "python")
        try:
            subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True, stdout=subprocess.PIPE)
        except subprocess.CalledProcessError:
            self.skipTest("not installed: python3-venv")
        copied = self.copied_out()
        program = "import faceverify; print(faceverify.__file__, faceverify.library_version)"
        for options, expected in ([], venv), (["--editable"], copied):
            with self.subTest(options=options):
                subprocess.run(
                    [python, "-m", "pip", "install", "--no-index", "--quiet", *options, str(copied)],
                    env={**environment, "FACEVERIFY_PREFIX": str(prefix)},
                    check=True,
                )
                output = subprocess.check_output([python, "-c", program], env=environment, cwd=self.folder)
                place, version = output.decode().split()
                self.assertTrue(Path(place).is_relative_to(expected), place)
                self.assertEqual(version, faceverify.library_version)


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

    def test_wrong_use(self):
        for arguments in ((), ("--fast",), ("a", "b", "c")):
            self.assertEqual(self.make(*arguments), (2, "", "usage: make-wheel PREFIX [FOLDER]\n"))

    def test_a_prefix_without_the_library(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in ("share/faceverify", "share/doc/faceverify", "lib"):
                Path(folder, part).mkdir(parents=True)
            code, _, error = self.make(folder, folder)
        self.assertEqual(code, 1)
        self.assertIn("install libfaceverify there first", error)
