import functools
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

from support import BINDING, OTHER, PORTRAIT, SELFIE, engine, needs_samples

from faceverify import AbsentError, BadArgumentError, Candidate, Gallery, QualityPolicy, Template, CallTimeoutError, UnknownFormatError, UnreadableError

KEY = bytes(range(32))


@functools.lru_cache(maxsize=None)
def template(photo):
    return Template.from_bytes(bytes(engine().sample(photo).template))


@needs_samples
class GalleryTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "people.fvg")

    def open(self, key=None):
        gallery = Gallery(self.path, engine(), key)
        self.addCleanup(gallery.close)
        return gallery

    def test_search(self):
        gallery = self.open()
        self.assertTrue(gallery)
        self.assertEqual(len(gallery.search(template(SELFIE))), 0)
        gallery.add("one", template(PORTRAIT))
        gallery.add("other", template(OTHER))
        found = gallery.search(template(SELFIE), rate=1e-3)
        self.assertEqual([(one.name, one.is_match, one.other) for one in found], [("one", True, ""), ("other", False, "")])
        self.assertIsInstance(found[0], Candidate)
        self.assertAlmostEqual(found[0].score, engine().compare_templates(template(SELFIE), template(PORTRAIT)).score)
        self.assertEqual((found.template_count, found.comparison_count, found.rate), (2, 2, 1e-3))
        self.assertAlmostEqual(found.comparison_rate, 5e-4)
        self.assertAlmostEqual(found.threshold, engine().threshold(5e-4).score)
        self.assertEqual(found.note, "")
        self.assertEqual(found.json()["candidates"][0]["path"], "one")
        self.assertEqual(len(gallery.search(template(SELFIE), count=1)), 1)
        self.assertEqual((len(gallery), gallery.failure_count, gallery.is_encrypted), (2, 0, False))
        self.assertEqual(repr(gallery), "<Gallery of 2 templates>")

    def test_an_unsupported_rate_has_a_reason(self):
        gallery = self.open()
        gallery.add("one", template(PORTRAIT))
        found = gallery.search(template(SELFIE), rate=1e-9)
        self.assertIsNone(found.threshold)
        self.assertIn("no candidate can be a match", found.note)
        self.assertFalse(found[0].is_match)

    def test_entries_are_deduplicated_replaced_and_removed(self):
        gallery = self.open()
        for name, photo in (("a", SELFIE), ("b", OTHER), ("c", PORTRAIT)):
            gallery.add(name, template(photo))
        found = gallery.duplicates()
        self.assertEqual([(one.name, one.other) for one in found if one.is_match], [("a", "c")])
        self.assertEqual(found.comparison_count, 3)
        gallery.add("c", template(OTHER))
        self.assertEqual([(one.name, one.other) for one in gallery.duplicates(1)], [("b", "c")])
        gallery.remove("b")
        self.assertFalse(any(one.is_match for one in gallery.duplicates()))
        with self.assertRaises(AbsentError):
            gallery.remove("b")
        with self.assertRaises(CallTimeoutError):
            gallery.duplicates(timeout=1e-9)

    def test_key(self):
        self.open(KEY).add("one", template(PORTRAIT))
        self.assertTrue(self.open(bytearray(KEY)).is_encrypted)
        self.assertTrue(self.open(KEY).search(template(SELFIE))[0].is_match)
        for key in (None, bytes(32), b"short", b""):
            with self.subTest(key), self.assertRaises(BadArgumentError):
                self.open(key)

    def test_enrol(self):
        gallery, any_ = self.open(), QualityPolicy("any")
        self.assertIsNone(gallery.enrol(PORTRAIT))
        self.assertIn("no such file", gallery.enrol("/nowhere.jpg"))
        self.assertEqual((len(gallery), gallery.failure_count), (1, 1))
        self.assertTrue(gallery.is_enrolled(PORTRAIT))
        self.assertFalse(gallery.is_enrolled(PORTRAIT, any_))
        self.assertFalse(gallery.is_enrolled("/nowhere.jpg"))
        self.assertIsNone(gallery.enrol(PORTRAIT, any_))
        self.assertTrue(gallery.is_enrolled(PORTRAIT, any_))
        self.assertEqual([one.name for one in gallery.search(template(SELFIE)) if one.is_match], [str(PORTRAIT)])

    def test_merge(self):
        self.open(KEY).enrol(PORTRAIT)
        self.open(KEY).enrol(OTHER)
        gallery = Gallery(self.path.with_name("all"), engine())
        self.addCleanup(gallery.close)
        gallery.merge(self.path, KEY, 1, 1)
        self.assertEqual([one.name for one in gallery.search(template(SELFIE))], [str(OTHER)])
        for _ in range(2):
            gallery.merge(self.path, KEY)
            self.assertEqual(len(gallery), 2)
        for wrong in ((self.path,), (self.path, bytes(32)), (self.path, KEY, -1), (self.path, KEY, 0, 0)):
            with self.subTest(wrong), self.assertRaises(BadArgumentError):
                gallery.merge(*wrong)
        with self.assertRaises(UnreadableError):
            gallery.merge("/nowhere")

    def test_usage_errors(self):
        gallery = self.open()
        for call in (
            lambda: gallery.add("", template(OTHER)),
            lambda: gallery.add("a\0b", template(OTHER)),
            lambda: gallery.search(template(OTHER), count=0),
            lambda: gallery.search(template(OTHER), count=-1),
            lambda: gallery.search(template(OTHER), rate=0),
            lambda: gallery.search(template(OTHER), rate=1),
        ):
            with self.assertRaises(BadArgumentError):
                call()
        with self.assertRaises(UnknownFormatError):
            Gallery(SELFIE, engine())
        gallery.close()
        with self.assertRaises(BadArgumentError):
            gallery.search(template(OTHER))

    def test_the_sqlite_of_python_can_be_used_too(self):
        """Both use SQLite in one process, also on the same file."""
        gallery = self.open()
        with sqlite3.connect(":memory:") as other:
            other.execute("CREATE TABLE a (b)")
            gallery.add("one", template(PORTRAIT))
            self.assertEqual(other.execute("SELECT count(*) FROM a").fetchone(), (0,))
        beside = sqlite3.connect(self.path)
        self.assertEqual(beside.execute("SELECT path FROM entry").fetchall(), [("one",)])
        beside.close()
        gallery.add("two", template(OTHER))
        self.assertEqual(gallery.search(template(SELFIE))[0].name, "one")

    def test_threads(self):
        gallery, failures = self.open(), []
        gallery.add("one", template(PORTRAIT))

        def work(number):
            try:
                for i in range(5):
                    gallery.add(f"{number} {i}", template(OTHER))
                    if gallery.search(template(SELFIE))[0].name != "one":
                        failures.append(number)
            except Exception as error:  # a failure of a thread is visible only here
                failures.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual((failures, len(gallery)), ([], 21))

    def test_additions_survive_a_kill(self):
        program = (
            "import sys, faceverify\n"
            "template = faceverify.Template.from_bytes(open(sys.argv[2], 'rb').read())\n"
            "gallery = faceverify.Gallery(sys.argv[1], faceverify.Engine())\n"
            "for i in range(100000):\n"
            "    gallery.add(str(i), template)\n"
            "    print(i, flush=True)\n"
        )
        form = self.path.with_name("template")
        form.write_bytes(bytes(template(OTHER)))
        for _ in range(3):
            command = [sys.executable, "-c", program, str(self.path), str(form)]
            process = subprocess.Popen(command, cwd=BINDING, stdout=subprocess.PIPE)
            lines = [process.stdout.readline() for _ in range(20)]
            os.kill(process.pid, signal.SIGKILL)
            rest, _ = process.communicate()
            names = (b"".join(lines) + rest).split(b"\n")[:-1]
            gallery = self.open()
            # The entry that was being added may also be present.
            self.assertGreaterEqual(len(gallery), len(names))
            for name in names:
                gallery.remove(name.decode())
            self.assertLessEqual(len(gallery), 1)
            gallery.close()
            self.path.unlink()
