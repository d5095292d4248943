import ctypes
import inspect
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import BINDING, faceverify
from faceverify import _base, _generated
from faceverify._generated import lib

STRUCTS = [one for one in vars(_generated).values() if inspect.isclass(one) and issubclass(one, ctypes.Structure)]
LISTS = [one for one in vars(_generated).values() if inspect.isclass(one) and issubclass(one, _base.Listed)]


class GeneratedTests(unittest.TestCase):
    """The output of scripts/generate-bindings agrees with the library."""

    def test_structs_start_as_fv_struct_init_makes_them(self):
        sized = [one for one in STRUCTS if issubclass(one, _base.Struct) and one is not _base.Struct]
        self.assertGreater(len(sized), 20)
        for struct in sized:
            made = struct.from_buffer(bytearray(b"\xff" * ctypes.sizeof(struct)))
            lib.fv_struct_init(ctypes.byref(made), ctypes.sizeof(struct))
            self.assertEqual(bytes(struct()), bytes(made))

    def test_names_and_numbers_match_the_library(self):
        lists = [one for one in LISTS if one is not _base.Listed]
        self.assertGreater(len(lists), 15)
        for kind in lists:
            function = "".join("_" + letter.lower() if letter.isupper() else letter for letter in kind.__name__)
            name = getattr(lib, f"fv{function}_name")
            self.assertEqual([name(number).decode() for number in range(1, len(kind) + 1)], [str(one) for one in kind])
            self.assertEqual(name(len(kind) + 1), b"unknown")
            for one in kind:
                self.assertIs(kind._of(one.number), one)
                self.assertIs(kind(str(one)), one)
                self.assertIs(pickle.loads(pickle.dumps(one)), one)
            self.assertIsNone(kind._find(0))

    def test_a_value_of_a_later_release_has_the_librarys_name(self):
        later = faceverify.LivenessHint._of(999)
        self.assertIsInstance(later, faceverify.LivenessHint)
        self.assertEqual((str(later), later.number, later.text), ("unknown", 999, ""))
        self.assertNotIn(later, list(faceverify.LivenessHint))

    def test_every_status_has_its_exception(self):
        number = -1
        while (name := lib.fv_status_name(number).decode()) != "unknown":
            error = _base.make_error(number, "why")
            self.assertEqual((error.status, error.name, str(error)), (number, name, "why"))
            self.assertIn(type(error).__name__, faceverify.__all__)
            self.assertEqual(error.retryable, bool(lib.fv_status_is_retryable(number)))
            number -= 1
        self.assertLess(number, -18)

    def test_a_status_of_a_later_release_is_a_plain_error(self):
        error = _base.make_error(-999, "why")
        self.assertEqual((type(error), error.status, error.name), (faceverify.FaceVerifyError, -999, "unknown"))

    def test_errors_have_builtin_bases(self):
        self.assertTrue(issubclass(faceverify.CallTimeoutError, TimeoutError))
        self.assertTrue(issubclass(faceverify.UnreadableError, OSError))
        self.assertTrue(issubclass(faceverify.BadArgumentError, ValueError))

    def test_version(self):
        self.assertEqual(faceverify.library_version, faceverify.__version__)
        major, minor, patch = map(int, faceverify.__version__.split("."))
        self.assertEqual(10000 * major + 100 * minor + patch, _generated.FV_VERSION_NUMBER)

    def test_public_names_are_unique(self):
        self.assertEqual(len(set(faceverify.__all__)), len(faceverify.__all__))
        for name in faceverify.__all__:
            self.assertTrue(hasattr(faceverify, name), name)


class FindTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.package = Path(folder.name) / "faceverify"
        shutil.copytree(BINDING / "faceverify", self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.library = _base.find(BINDING / "faceverify")

    def found(self, **environment):
        """Returns the output of a new process in this environment, with the copy of the package."""
        variables = {k: v for k, v in os.environ.items() if k not in ("FACEVERIFY_LIBRARY", "LD_LIBRARY_PATH")}
        variables.update(environment, PYTHONPATH=str(self.package.parent))
        program = "import faceverify; print(faceverify.library_version)"
        process = subprocess.run(
            [sys.executable, "-c", program], env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        return process.stdout.decode().strip() or process.stderr.decode().splitlines()[-1]

    def record(self, path):
        self.package.joinpath("library-path.txt").write_text(f"{path}\n")

    def put_into_wheel(self, content):
        folder = self.package / "_native" / "lib"
        folder.mkdir(parents=True)
        folder.joinpath("libfaceverify.so.0").write_bytes(content)

    def test_a_recorded_path_is_used(self):
        self.record(self.library)
        self.assertEqual(self.found(), faceverify.library_version)

    def test_the_wheel_precedes_a_recorded_path(self):
        self.record(self.library)
        self.put_into_wheel(b"no library")
        self.assertIn(f"cannot load {self.package}/_native/lib/libfaceverify.so.0", self.found())

    def test_the_environment_has_precedence(self):
        self.record("/nowhere/recorded.so")
        self.put_into_wheel(b"no library")
        self.assertEqual(self.found(FACEVERIFY_LIBRARY=self.library), faceverify.library_version)

    def test_the_loader_comes_last(self):
        os.symlink(self.library, self.package.parent / "libfaceverify.so.0")
        there, elsewhere = str(self.package.parent), "/nowhere"
        real = os.path.dirname(os.path.realpath(self.library))
        self.assertEqual(self.found(LD_LIBRARY_PATH=f"{there}:{real}:{real}/faceverify"), faceverify.library_version)
        self.assertIn("cannot load libfaceverify.so.0", self.found(LD_LIBRARY_PATH=elsewhere))

    def test_a_missing_library_has_a_remedy(self):
        message = self.found(FACEVERIFY_LIBRARY="/nowhere/libfaceverify.so.0")
        self.assertRegex(message, "^ImportError: faceverify: cannot load /nowhere/libfaceverify.so.0: ")
        self.assertIn("set FACEVERIFY_LIBRARY", message)

    def test_another_library_is_rejected(self):
        another = subprocess.check_output(
            [sys.executable, "-c", "import _ctypes; print(_ctypes.__file__)"], universal_newlines=True
        ).strip()
        self.assertIn("is no libfaceverify", self.found(FACEVERIFY_LIBRARY=another))
