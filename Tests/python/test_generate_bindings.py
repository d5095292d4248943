"""scripts/generate-bindings: what it generates, what it rejects, and what it never changes."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GENERATOR = ROOT / "scripts" / "generate-bindings"
LIVE = "FV_API size_t fv_live_objects(void);"
RECORD = "Sources/FaceVerifyABI/abi-record.json"
WRITTEN = re.findall(r'^    "(\S+)": \w+\.\w+,$', GENERATOR.read_text(), re.MULTILINE)
MENTIONING = re.findall(r"""^    "(\S+)": r['"]""", GENERATOR.read_text(), re.MULTILINE)
CORE = (ROOT / "include/faceverify/core.h").read_text()
MAJOR, MINOR, PATCH = re.findall(r"#define FV_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", CORE)
VERSION, NEXT = f"{MAJOR}.{MINOR}.{PATCH}", f"{MAJOR}.{int(MINOR) + 1}.{PATCH}"

# The last challenge of the header.
FOLLOW = "  FV_CHALLENGE_FOLLOW = 13 /**< follow the target of the feedback in position, size and direction */\n"

class GeneratorTests(unittest.TestCase):
    """Each test has a separate checkout: the headers, and the files generated from them."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        shutil.copytree(ROOT / "include", self.root / "include")
        for name in WRITTEN + MENTIONING:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)

    def run_generator(self, *options):
        command = [sys.executable, str(GENERATOR), "--root", str(self.root), *options]
        found = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        return found.returncode, found.stdout + found.stderr

    def edit(self, header, old, new):
        path = self.root / "include" / "faceverify" / header
        text = path.read_text()
        self.assertEqual(text.count(old), 1, old)
        path.write_text(text.replace(old, new))

    def written(self):
        return {name: (self.root / name).read_text() for name in WRITTEN + MENTIONING}

    def refuses(self, words):
        before = self.written()
        code, said = self.run_generator()
        self.assertEqual(code, 1, said)
        self.assertIn(words, said)
        self.assertEqual(self.written(), before)

    def add_sun(self):
        self.edit(
            "liveness.h",
            FOLLOW,
            FOLLOW.replace("13", "13,") + "  FV_CHALLENGE_LOOK_AT_SUN = 14 /**< not to be asked for */\n",
        )

    # ---- Output

    def test_generated_files_match_the_headers(self):
        code, said = self.run_generator("--check")
        self.assertEqual((code, said), (0, ""))
        self.assertEqual((len(WRITTEN), len(MENTIONING)), (7, 3))
        for name in WRITTEN:
            self.assertIn("enerated by scripts/generate-bindings", (self.root / name).read_text().split("\n")[0])

    def test_an_edited_file_is_reported_and_rewritten(self):
        expected = self.written()
        for name in WRITTEN:
            path = self.root / name
            path.write_text(path.read_text() + "\n")
            code, said = self.run_generator("--check")
            self.assertEqual(code, 1)
            self.assertIn(name, said)
            self.assertNotEqual(self.written(), expected)
            self.run_generator()
            self.assertEqual(self.written(), expected)

    def test_a_new_version_is_written_everywhere(self):
        before = self.written()
        self.raise_version()
        self.assertEqual(self.run_generator()[0], 0)
        after = self.written()
        for name in (*MENTIONING, "Sources/FaceVerify/FaceVerifyVersion.swift"):
            self.assertEqual(after[name], before[name].replace(VERSION, NEXT), name)
        self.assertIn(f'VERSION = "{NEXT}"', after["bindings/python/faceverify/_generated.py"])
        (self.root / MENTIONING[0]).write_text("{}")
        self.refuses(f"{MENTIONING[0]} does not state the version")

    def test_a_new_value_of_a_list_needs_no_other_edit(self):
        self.add_sun()
        self.assertEqual(self.run_generator()[0], 0)
        found = self.written()
        self.assertIn('    LOOK_AT_SUN = "look-at-sun", 14', found["bindings/python/faceverify/_generated.py"])
        self.assertIn("ChallengeLookAtSun", found["bindings/go/generated.go"])
        self.assertIn('"look-at-sun"', found["Sources/FaceVerifyABI/Generated.swift"])
        self.assertIn('14, "look-at-sun"', found["Tests/c/generated_layout.h"])

    def test_the_values_of_a_list_are_counted(self):
        self.edit("core.h", "  FV_RESULT_REFUSED = 3 /**<",
                  "  FV_RESULT_PERHAPS = 4, /**< perhaps */\n  FV_RESULT_REFUSED = 3 /**<")  # fmt: skip
        self.refuses("fv_result: its constants are not counted without a gap")
        self.edit("core.h", "FV_RESULT_PERHAPS = 4, /**< perhaps */\n  FV_RESULT_REFUSED = 3",
                  "FV_RESULT_REFUSED = 3, FV_RESULT_PERHAPS = 4")
        self.assertEqual(self.run_generator()[0], 0)
        generated = self.written()["Sources/FaceVerifyABI/Generated.swift"]
        self.assertRegex(generated, r'"match",\s+"no-match",\s+"refused",\s+"perhaps"\]')

    def test_a_new_function_is_declared_exported_and_called(self):
        self.edit(
            "core.h",
            LIVE,
            LIVE + "\n\n/** Status: none. */\nFV_API FV_CHECKED fv_status fv_image_turn(fv_image **out, "
            "const fv_image *image, double degrees, char *message, size_t message_bytes);",
        )
        self.assertEqual(self.run_generator()[0], 0)
        found = self.written()
        self.assertIn('"fv_image_turn": (c_int32, POINTER(c_void_p), c_void_p, c_double, c_char_p, c_size_t,)',
                      found["bindings/python/faceverify/_generated.py"])  # fmt: skip
        self.assertIn("    fv_image_turn;\n", found["Sources/FaceVerifyABI/faceverify.map"])
        calls = found["Tests/c/generated_calls.h"]
        self.assertIn("fv_image_turn(&out, (const fv_image *)bad, 0, message, sizeof message)", calls)
        self.assertIn("fv_image_turn(NULL, (const fv_image *)good[KIND_image], 0, message, sizeof message)", calls)

    # ---- Rejected headers

    def test_an_unknown_declaration_is_reported_with_its_line(self):
        path = self.root / "include" / "faceverify" / "core.h"
        line = path.read_text()[: path.read_text().index(LIVE)].count("\n") + 1
        for declaration, words in (
            ("union fv_pair { int a; };", "the type union is not known"),
            ("FV_API long fv_count(void);", "the type long is not known"),
            ("FV_API size_t fv_rows(fv_table *table);", "the type fv_table is not known"),
            ("typedef int32_t fv_colour;", "fv_colour is not of 64 bits"),
            ("typedef struct fv_pair { size_t struct_size; int32_t a; } fv_pair;", "a has not 8 bytes"),
            ("#define FV_TEN (5 + 5)", "is not understood"),
            ("FV_API fv_status fv_sit(const fv_image *image);", "is FV_CHECKED"),
            ("/** `table` may be NULL. */\nFV_API size_t fv_rows(void);", "no parameter table"),
            ("FV_API size_t fv_rows(void", "a name is expected"),
            ("size_t fv_rows[3];", "'[' is not understood"),
            ("size_t fv_rows(void);", "fv_rows is not FV_API"),
        ):
            with self.subTest(declaration):
                original = path.read_text()
                self.edit("core.h", LIVE, declaration)
                self.refuses(words)
                self.assertRegex(self.run_generator()[1], rf"core\.h:({line}|{line + 1}|{line + 2}): ")
                path.write_text(original)

    def test_header_rules_are_enforced(self):
        for old, new, words in (
            ("FV_API const char *fv_eye_name(fv_eye eye);", "", "there is no const char *fv_eye_name(fv_eye)"),
            ("FV_EYE_LEFT = 1", "FV_LEFT_EYE = 1", "FV_LEFT_EYE does not begin with FV_EYE_"),
            ("#define FV_BUDGET_INIT {sizeof(fv_budget), 0, NULL}", "#define FV_BUDGET_INIT {sizeof(fv_budget), 0}",
             "it is {sizeof(fv_budget), 0, NULL}"),
            ("fv_image_describe(fv_image_info *out, const fv_image *image)",
             "fv_image_describe(fv_image_info *out, const fv_image *image, double a, double b, double c, double d, double e)",
             "fv_image_describe has 7 parameters"),
        ):  # fmt: skip
            with self.subTest(words):
                original = (self.root / "include/faceverify/core.h").read_text()
                self.edit("core.h", old, new)
                self.refuses(words)
                (self.root / "include/faceverify/core.h").write_text(original)

    # ---- The record of releases

    def release(self):
        self.assertEqual(self.run_generator("--release", VERSION)[0], 0)
        return VERSION

    def raise_version(self):
        self.edit("core.h", f"#define FV_VERSION_MINOR {MINOR}\n", f"#define FV_VERSION_MINOR {int(MINOR) + 1}\n")

    # Rows: V6-support
    def test_released_declarations_cannot_change(self):
        self.release()
        self.raise_version()
        for header, old, new, words in (
            ("core.h", "  double seconds;                      /**<", "  int64_t first;\n  double seconds; /**<",
             "fv_budget.seconds"),
            ("core.h", "  double x;\n  double y;\n} fv_point;", "  double x;\n  double y;\n  double z;\n} fv_point;",
             "fv_point"),
            ("core.h", LIVE, "", "fv_live_objects was released with"),
            ("core.h", LIVE, "FV_API double fv_live_objects(void);",
             "fv_live_objects was released with"),
            ("core.h", "void fv_engine_free(fv_engine *engine);", "void fv_engine_free(fv_engine *engine, double now);",
             "fv_engine_free"),
            ("core.h", "{ FV_EYE_LEFT = 1, FV_EYE_RIGHT = 2 }", "{ FV_EYE_RIGHT = 1, FV_EYE_LEFT = 2 }",
             "FV_EYE_LEFT was released with"),
            ("core.h", "#define FV_EYE_POINTS 21", "#define FV_EYE_POINTS 22", "FV_EYE_POINTS was released with"),
            ("core.h", "int64_t width;      /**< pixels, upright */", "double width; /**< pixels, upright */",
             "fv_image_info.width"),
        ):  # fmt: skip
            with self.subTest(words):
                originals = {path: path.read_text() for path in (self.root / "include" / "faceverify").iterdir()}
                self.edit(header, old, new)
                if "fv_budget" in words:
                    self.edit("core.h", "{sizeof(fv_budget), 0, NULL}", "{sizeof(fv_budget), 0, 0, NULL}")
                if words == "fv_point":
                    self.edit("core.h", "0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, 0,",
                              "0, 0, 0, 0, 0, 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0,")  # fmt: skip
                    self.edit("codes.h", "{0, 0}, {0, 0}, {0, 0}, {0, 0}, 0, 0}",
                              "{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0}")  # fmt: skip
                self.refuses(words)
                for path, original in originals.items():
                    path.write_text(original)

    def test_the_baseline_changes_only_when_it_is_written_anew(self):
        self.assertEqual(self.run_generator("--baseline")[0], 0)
        before = (self.root / RECORD).read_text()
        self.edit("core.h", LIVE, LIVE + "\n/** Of them. */\nFV_API size_t fv_live_engines(void);")
        self.assertEqual(self.run_generator()[0], 0)
        self.edit("core.h", "#define FV_EYE_POINTS 21", "#define FV_EYE_POINTS 22")
        self.refuses("FV_EYE_POINTS is in the baseline as 21")
        self.edit("core.h", LIVE + "\n", "")
        self.assertEqual(self.run_generator("--baseline")[0], 0)
        after = json.loads((self.root / RECORD).read_text())["baseline"]
        self.assertEqual(after["numbers"]["FV_EYE_POINTS"], 22)
        self.assertIn("fv_live_engines", after["functions"])
        self.assertNotIn("fv_live_objects", after["functions"])
        self.assertNotEqual((self.root / RECORD).read_text(), before)
        self.release()
        self.assertEqual(list(json.loads((self.root / RECORD).read_text())), [VERSION])

    def test_a_later_function_says_since_when(self):
        self.edit("core.h", LIVE, f"FV_SINCE({VERSION.replace('.', ', ')}) " + LIVE)
        self.refuses("fv_live_objects has no FV_SINCE()")
        self.edit("core.h", f"FV_SINCE({VERSION.replace('.', ', ')}) " + LIVE, LIVE)
        self.release()
        self.raise_version()
        later = "FV_API size_t fv_live_engines(void);"
        self.edit("core.h", LIVE, LIVE + "\n/** Of them. */\n" + later)
        since = f"FV_SINCE({NEXT.replace('.', ', ')})"
        self.refuses(f"fv_live_engines has {since}")
        self.edit("core.h", later, f'{since} FV_DEPRECATED("{NEXT}", "fv_live_objects") {later}')
        self.assertEqual(self.run_generator()[0], 0)

    def test_a_release_only_appends(self):
        first = self.release()
        before = (self.root / RECORD).read_text()
        self.assertEqual(self.run_generator()[0], 0)
        self.assertEqual((self.root / RECORD).read_text(), before)
        code, said = self.run_generator("--release", first)
        self.assertEqual((code, "never written anew" in said), (1, True))
        self.raise_version()
        self.add_sun()
        self.edit("core.h", "NULL: none */\n} fv_budget;",
                  "NULL: none */\n  int64_t steps; /**< 0: any */\n} fv_budget;")
        self.edit("core.h", "{sizeof(fv_budget), 0, NULL}", "{sizeof(fv_budget), 0, NULL, 0}")
        self.edit("core.h", LIVE,
                  LIVE + f"\n/** Of them. */\nFV_API FV_SINCE({NEXT.replace('.', ', ')}) size_t fv_live_engines(void);")
        code, said = self.run_generator("--release", "0.9.0")
        self.assertEqual((code, f"the headers are of {NEXT}" in said), (1, True))
        self.assertEqual(self.run_generator("--release", NEXT)[0], 0)
        after = (self.root / RECORD).read_text()
        self.assertTrue(after.startswith(before.rstrip("}\n")))
        added = json.loads(after)[NEXT]
        self.assertEqual(list(added["functions"]), ["fv_live_engines"])
        self.assertEqual(added["fields"], {"fv_budget.steps": ["int64_t", 24]})
        self.assertEqual(added["numbers"], {"FV_CHALLENGE_LOOK_AT_SUN": 14})
        nodes = self.written()["Sources/FaceVerifyABI/faceverify.map"]
        first, second = (f"FACEVERIFY_{version.rpartition('.')[0]}" for version in (VERSION, NEXT))
        self.assertIn(f"{second} {{\n  global:\n    fv_live_engines;\n}} {first};\n", nodes)
        self.assertNotIn("fv_live_engines", nodes.split(second)[0])


if __name__ == "__main__":
    unittest.main()
