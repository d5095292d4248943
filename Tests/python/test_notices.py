"""scripts/notices: that every linked part needs a notice; and Package.lock, whose versions it reports."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOADER = SourceFileLoader("notices", str(ROOT / "scripts" / "notices"))
spec = spec_from_loader("notices", LOADER)
notices = module_from_spec(spec)
sys.modules["notices"] = notices  # for dataclasses
sys.dont_write_bytecode = True
LOADER.exec_module(notices)


class NoticesTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def part(self, name, *texts):
        return notices.Part(name, "1", notices.CONTAINED, f"pkg:generic/{name}@1", list(texts))

    def link(self, source):
        """A build folder, in which both products have one object of a source file."""
        release = self.folder / "release"
        for product in notices.PRODUCTS:
            (release / f"{product}.product").mkdir(parents=True)
            (release / f"{product}.product" / "Objects.LinkFileList").write_text(f"{release}/One.build/one.swift.o\n")
        (release / "One.build").mkdir()
        (release / "One.build" / "output-file-map.json").write_text(json.dumps({"": {}, source: {}}))
        return notices.linked_sources(self.folder)

    def test_a_part_without_licence_is_rejected(self):
        with self.assertRaisesRegex(SystemExit, "unheard-of is linked, but has no notice"):
            notices.notices([self.part("zlib"), self.part("unheard-of")], "1.2.3")

    def test_a_package_that_is_not_locked_is_rejected(self):
        sources = self.link("/somewhere/checkouts/unheard-of/Sources/One/one.swift")
        with self.assertRaisesRegex(SystemExit, "unheard-of is linked, but is not in Package.lock"):
            notices.swift_packages(sources)

    def test_a_source_of_no_package_is_rejected(self):
        with self.assertRaisesRegex(SystemExit, "is of no known package"):
            notices.swift_packages(self.link("/somewhere/one.swift"))

    def test_own_sources_need_no_notice(self):
        self.assertEqual(notices.swift_packages(self.link(str(ROOT / "Sources" / "Imaging" / "one.swift"))), [])

    def test_a_shared_library_has_the_notice_of_its_package(self):
        (part,) = notices.debian_parts([(notices.SYSTEM_LIBRARIES / "libz.so.1").resolve()], notices.LOADED)
        self.assertEqual((part.name, part.licence), ("zlib", "Zlib"))
        self.assertIn("Mark Adler", part.texts[0])

    def test_linked_archives_are_found_by_their_symbols(self):
        dependencies, release = self.folder / "deps", self.folder / "release"
        for folder in (dependencies / "pkgconfig", release):
            folder.mkdir(parents=True)
        (dependencies / "pkgconfig/faceverify-deps.pc").write_text(
            f"Libs: -L{self.folder} -l:libused.a -l:libunused.a -lz\n"
        )
        for name in ("used", "unused"):
            (self.folder / f"{name}.c").write_text(f"int of_{name}(void) {{ return 1; }}\n")
            subprocess.check_call(["gcc", "-c", f"{name}.c"], cwd=self.folder)
            subprocess.check_call(["ar", "rc", f"lib{name}.a", f"{name}.o"], cwd=self.folder)
        (self.folder / "main.c").write_text("int of_used(void);\nint main(void) { return of_used(); }\n")
        for name in notices.PRODUCTS.values():
            subprocess.check_call(["gcc", "main.c", "-L.", "-lused", "-o", release / name], cwd=self.folder)
        found = notices.linked_archives(self.folder, dependencies, self.folder / "swift")
        self.assertEqual(found, {self.folder / "libused.a"})

    def test_equal_texts_are_written_once(self):
        written = notices.notices(
            [self.part("zlib", "Mine", "A  licence\n"), self.part("dlib", "Yours", "A licence")], "1.2.3"
        )
        self.assertIn("zlib 1\n    Zlib; in the command or the library; texts 1, 2\n", written)
        self.assertIn("dlib 1\n    BSL-1.0; in the command or the library; texts 3, 2\n", written)
        self.assertEqual(len(re.findall("^A +licence$", written, re.MULTILINE)), 1)

    def test_leading_comments(self):
        file = self.folder / "one.c"
        for text, expected in (
            ("// Copyright A\n// B\n\nint a; // C\n", "Copyright A\nB"),
            ("/* Copyright A\n * B\n */\nint a; /* C */\n", "Copyright A\nB"),
            ("#define A\n/* B */\n#include <c.h>\n// D\n", "B"),
        ):
            file.write_text(text)
            self.assertEqual(notices.leading_comment(file), expected)

    def test_every_model_by_others_has_a_notice(self):
        manifest = json.loads((ROOT / "models/manifest.json").read_text())
        parts = notices.model_parts(ROOT / "models", manifest)
        files = {file for part in parts for file in part.files}
        self.assertEqual({m["file"] for m in manifest["models"] if "madeBy" not in m["source"]} - files, set())
        self.assertTrue(all(len(part.texts) == 2 for part in parts))


class LockTests(unittest.TestCase):
    def versions(self, path):
        return {pin["identity"]: pin["state"] for pin in json.loads(path.read_text())["pins"]}

    def test_the_package_requires_the_locked_versions(self):
        required = re.findall(r'\.package\(url: "(\S+)", (.*?)["]([\d.]+)"', (ROOT / "Package.swift").read_text())
        locked = self.versions(ROOT / "Package.lock")
        self.assertGreater(len(required), 1)
        for url, kind, version in required:
            self.assertEqual(kind, "exact: ", url)
            self.assertEqual(version, locked[re.sub(r".*/|\.git$", "", url)]["version"], url)

    @unittest.skipUnless((ROOT / "Package.resolved").exists(), "nothing was built")
    def test_resolved_versions_are_the_locked_ones(self):
        locked = self.versions(ROOT / "Package.lock")
        resolved = self.versions(ROOT / "Package.resolved")
        self.assertEqual({name: locked.get(name) for name in resolved}, resolved)


if __name__ == "__main__":
    unittest.main()
