import ctypes
import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import BINDING, HEADER, faceverify
from faceverify import _document_values, _errors, _image, _library, _liveness_values, _values

STRUCTS = {
    "fv_" + re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower(): struct
    for name, struct in vars(_library).items()
    if inspect.isclass(struct) and issubclass(struct, ctypes.Structure) and struct is not _library.Struct
}
SIMPLE = {
    "void": None,
    "fv_status": ctypes.c_int32,
    "uint32_t": ctypes.c_uint32,
    "int": ctypes.c_int,
    "size_t": ctypes.c_size_t,
    "double": ctypes.c_double,
    "char *": ctypes.c_char_p,
    "void *": ctypes.c_void_p,
    "double *": ctypes.c_void_p,
    "fv_point *": ctypes.c_void_p,
    "int64_t *": ctypes.c_void_p,
    "size_t *": ctypes.POINTER(ctypes.c_size_t),
}


def header():
    return re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)


def ctype(text):
    """The type in ctypes of a parameter, whose name is left out, or of a result."""
    text = re.sub(r"\bconst\b", "", text)
    text = " ".join(text.replace("*", " *").split()).replace("* *", "**")
    if text in SIMPLE:
        return SIMPLE[text]
    name, pointer = text.split()
    if pointer == "**":
        return ctypes.POINTER(ctypes.c_void_p)
    return ctypes.POINTER(STRUCTS[name]) if name in STRUCTS else ctypes.c_void_p


def enumerators(prefix):
    found = re.findall(rf"\b{prefix}(\w+) = (-?\d+)", header())
    return {name.lower().replace("_", "-"): int(number) for name, number in found}


class LibraryTests(unittest.TestCase):
    def test_declares_every_function_of_the_header_and_no_other(self):
        declared = {**_library.WORKING, **_library.LOOKING_UP}
        self.assertEqual(len(declared), len(_library.WORKING) + len(_library.LOOKING_UP))
        found = re.findall(r"^(?:FV_CHECKED )?([a-z][\w ]*[ *]+)(fv_\w+)\(([^;{]*)\);", header(), re.MULTILINE)
        expected = {}
        for result, name, parameters in found:
            types = [] if parameters == "void" else parameters.split(",")
            types = [re.sub(r"\w+\s*$", "", one) for one in types]
            expected[name] = (ctype(result), *map(ctype, types))
        self.assertGreater(len(expected), 50)
        self.assertEqual(declared, expected)

    def test_structs_are_those_of_the_header(self):
        sized = re.findall(r"typedef struct (fv_\w+) \{", header())
        self.assertEqual(sorted(STRUCTS), sorted(sized))

    @unittest.skipUnless(shutil.which("gcc"), "not installed: gcc")
    def test_structs_lie_in_memory_as_in_c(self):
        lines, expected = [], []
        for name, struct in STRUCTS.items():
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            expected.append(f"{name} {ctypes.sizeof(struct)}")
            for field, kind in struct._fields_:
                lines.append(
                    f'printf("{name}.{field} %zu %zu\\n", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));'
                )
                expected.append(f"{name}.{field} {getattr(struct, field).offset} {ctypes.sizeof(kind)}")
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder, "sizes")
            source = "#include <stdio.h>\n#include <faceverify.h>\nint main(void) {" + "\n".join(lines) + "return 0;}"
            subprocess.run(
                ["gcc", "-x", "c", "-I", str(HEADER.parent), "-o", str(program), "-"], input=source.encode(), check=True
            )
            found = subprocess.run([str(program)], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
        self.assertEqual(found, expected)

    def test_structs_start_as_fv_struct_init_makes_them(self):
        for struct in STRUCTS.values():
            if issubclass(struct, _library.Struct):
                made = struct.from_buffer(bytearray(b"\xff" * ctypes.sizeof(struct)))
                _library.lib.fv_struct_init(ctypes.byref(made), ctypes.sizeof(struct))
                self.assertEqual(bytes(struct()), bytes(made))

    def test_constants_are_those_of_the_header(self):
        for name in ("FV_VERSION_NUMBER", "FV_MESSAGE_SIZE", "FV_DETECT_SMALL_FACES"):
            number = re.search(rf"#define {name} (\d+)", header())
            self.assertEqual(getattr(_library, name), int(number[1]), name)
        self.assertEqual({"left": _library.FV_EYE_LEFT, "right": _library.FV_EYE_RIGHT}, enumerators("FV_EYE_"))
        choices = {"yes": _library.FV_YES, "no": _library.FV_NO}
        self.assertEqual({name: enumerators("FV_")[name] for name in choices}, choices)
        sources = {
            "document": _library.FV_SOURCE_DOCUMENT,
            "page": _library.FV_SOURCE_PAGE,
            "chip": _library.FV_SOURCE_CHIP,
        }
        self.assertEqual(enumerators("FV_SOURCE_"), sources)
        self.assertEqual(enumerators("FV_RESULT_"), {v.value: k for k, v in _values.RESULTS.items()})
        self.assertEqual(enumerators("FV_CHECK_"), {v.value: k for k, v in _values.CHECK_STATUSES.items()})
        consequences = {"none" if v is None else v.value: k for k, v in _values.CONSEQUENCES.items()}
        self.assertEqual(enumerators("FV_CONSEQUENCE_"), consequences)
        self.assertEqual(enumerators("FV_MODEL_"), {v.value: k for k, v in _values.MODEL_STATES.items()})
        self.assertEqual(
            enumerators("FV_PIXELS_"),
            {
                f"{'gray' if channels == 1 else order + 'a' * (channels - 3)}8": number
                for order, formats in _image._FORMATS.items()
                for channels, number in formats.items()
            },
        )

    def test_names_and_numbers_are_those_of_the_library(self):
        for prefix, function, names in (
            ("RESULT", "result", _values.RESULTS),
            ("CHALLENGE", "challenge", _liveness_values.CHALLENGES),
            ("STEP", "step", _liveness_values.STEPS),
            ("HINT", "hint", _liveness_values.HINTS),
            ("PHASE", "phase", _liveness_values.PHASES),
            ("LIVENESS", "liveness_result", _liveness_values.LIVENESS_RESULTS),
            ("RETRY", "retry", _liveness_values.RETRY_REASONS),
            ("OUTCOME", "outcome", _liveness_values.OUTCOMES),
            ("DOCUMENT", "document_status", _document_values.DOCUMENT_STATUSES),
            ("FIELD", "field_status", _document_values.FIELD_STATUSES),
            ("RFID", "rfid_status", _document_values.RFID_STATUSES),
            ("VERDICT", "verdict", _document_values.VERDICTS),
            ("PORTRAIT", "portrait_trust", _document_values.PORTRAIT_TRUSTS),
        ):
            numbers = enumerators(f"FV_{prefix}_")
            self.assertEqual({value.name.lower().replace("_", "-"): number for number, value in names.items()}, numbers)
            for number, value in names.items():
                self.assertEqual(getattr(_library.lib, f"fv_{function}_name")(number).decode(), value)

    def test_every_status_has_its_exception(self):
        numbers = sorted(enumerators("FV_E_").values())
        self.assertEqual(sorted(_errors._CLASSES), numbers)
        for number in numbers:
            error = _errors.make_error(number, "why")
            self.assertEqual((error.status, str(error)), (number, "why"))
            self.assertIn(type(error).__name__, faceverify.__all__)
            self.assertNotEqual(error.name, "unknown")

    def test_a_status_of_a_later_release_is_a_plain_error(self):
        error = _errors.make_error(-999, "why")
        self.assertEqual((type(error), error.status, error.name), (faceverify.Error, -999, "unknown"))

    def test_version(self):
        self.assertEqual(faceverify.library_version, _library.lib.fv_version_string().decode())
        major, minor, patch = map(int, faceverify.__version__.split("."))
        self.assertEqual(10000 * major + 100 * minor + patch, _library.FV_VERSION_NUMBER)


class FindTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.package = Path(folder.name) / "faceverify"
        shutil.copytree(BINDING / "faceverify", self.package, ignore=shutil.ignore_patterns("__pycache__"))
        self.library = _library.find(BINDING / "faceverify")

    def found(self, **environment):
        """What a process of its own says in this environment, with the copy of the package."""
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

    def test_the_wheel_comes_before_a_recorded_path(self):
        self.record(self.library)
        self.put_into_wheel(b"no library")
        self.assertIn(f"cannot load {self.package}/_native/lib/libfaceverify.so.0", self.found())

    def test_the_environment_comes_first(self):
        self.record("/nowhere/recorded.so")
        self.put_into_wheel(b"no library")
        self.assertEqual(self.found(FACEVERIFY_LIBRARY=self.library), faceverify.library_version)

    def test_the_loader_is_asked_last(self):
        os.symlink(self.library, self.package.parent / "libfaceverify.so.0")
        there, elsewhere = str(self.package.parent), "/nowhere"
        real = os.path.dirname(os.path.realpath(self.library))
        self.assertEqual(
            self.found(LD_LIBRARY_PATH=f"{there}:{real}:{real}/faceverify"), faceverify.library_version
        )
        self.assertIn("cannot load libfaceverify.so.0", self.found(LD_LIBRARY_PATH=elsewhere))

    def test_a_missing_library_says_what_to_do(self):
        message = self.found(FACEVERIFY_LIBRARY="/nowhere/libfaceverify.so.0")
        self.assertRegex(message, "^ImportError: faceverify: cannot load /nowhere/libfaceverify.so.0: ")
        self.assertIn("set FACEVERIFY_LIBRARY", message)

    def test_another_library_is_told_apart(self):
        another = subprocess.check_output(
            [sys.executable, "-c", "import _ctypes; print(_ctypes.__file__)"], universal_newlines=True
        ).strip()
        self.assertIn("is no libfaceverify", self.found(FACEVERIFY_LIBRARY=another))
