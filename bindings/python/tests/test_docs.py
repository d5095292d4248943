import contextlib
import doctest
import importlib.util
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

from support import BINDING, OTHER, PORTRAIT, ROOT, SELFIE, engine, faceverify, needs, needs_samples

COMING_FROM = ROOT / "docs" / "coming-from.md"
PHOTOS = {"selfie": str(SELFIE), "portrait": str(PORTRAIT), "other": str(OTHER)}


class DocumentationTests(unittest.TestCase):
    def run_examples(self, examples):
        runner = doctest.DocTestRunner(verbose=False)
        output = []
        runner.run(examples, out=output.append)
        self.assertEqual(runner.summarize(verbose=False).failed, 0, "".join(output))
        self.assertGreater(runner.tries, 0)

    @needs_samples
    def test_docstring_examples_work(self):
        finder, found = doctest.DocTestFinder(exclude_empty=True), 0
        documented = {"faceverify": faceverify, **{name: getattr(faceverify, name) for name in faceverify.__all__}}
        for name, one in documented.items():
            if not isinstance(one, (type, types.FunctionType, types.ModuleType)):
                continue
            for examples in finder.find(one, name, module=False, extraglobs={**PHOTOS, **vars(faceverify)}):
                if examples.examples:
                    found += 1
                    with self.subTest(examples.name):
                        self.run_examples(examples)
        self.assertGreaterEqual(found, 20)

    @needs_samples
    @needs("numpy")
    def test_readme_examples_work(self):
        text = (BINDING / "README.md").read_text(encoding="utf-8").replace("```", "")
        examples = doctest.DocTestParser().get_doctest(text, dict(PHOTOS), "README.md", "README.md", 0)
        self.assertGreater(len(examples.examples), 15)
        self.run_examples(examples)

    @needs_samples
    @needs("numpy", "PIL")
    @unittest.skipUnless(COMING_FROM.exists(), "the binding was copied without docs/")
    def test_coming_from_other_libraries(self):
        text = COMING_FROM.read_text(encoding="utf-8")
        blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
        self.assertEqual((len(blocks), [one for one in blocks if not one.startswith(">>> ")]), (text.count("```") // 2, []))
        examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, COMING_FROM.name, str(COMING_FROM), 0)
        self.assertGreater(len(examples.examples), 20)
        with tempfile.TemporaryDirectory() as folder:
            for name, photo in PHOTOS.items():
                shutil.copy(photo, os.path.join(folder, f"{'stranger' if name == 'other' else name}.jpg"))
            before = os.getcwd()
            os.chdir(folder)
            try:
                self.run_examples(examples)
            finally:
                os.chdir(before)

    def test_every_public_name_is_documented(self):
        for name in faceverify.__all__:
            value = getattr(faceverify, name)
            if isinstance(value, type):
                self.assertTrue(value.__dict__.get("__doc__"), name)
                for member, method in vars(value).items():
                    if not member.startswith("_") and (callable(method) or isinstance(method, (classmethod, property))):
                        self.assertTrue(getattr(value, member).__doc__, f"{name}.{member}")

    def test_numpy_and_pil_are_not_imported(self):
        program = "import sys, faceverify; sys.exit(any(name in sys.modules for name in ('numpy', 'PIL')))"
        subprocess.run([sys.executable, "-c", program], cwd=BINDING, check=True)


class Capture:
    """A cv2.VideoCapture that returns the same photo, as BGR."""

    def __init__(self, pixels, count):
        self.frame, self.count = pixels[:, :, ::-1].copy(), count

    def read(self):
        self.count -= 1
        return self.count >= 0, self.frame if self.count >= 0 else None


@needs_samples
@needs("numpy")
class WebcamTests(unittest.TestCase):
    def setUp(self):
        import numpy

        spec = importlib.util.spec_from_file_location("webcam", ROOT / "examples" / "python" / "webcam.py")
        self.webcam = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.webcam)
        self.pixels = numpy.asarray(faceverify.Image.from_file(SELFIE).pixels())

    def watched(self, session, capture):
        with contextlib.redirect_stdout(io.StringIO()) as output, session:
            return self.webcam.watch(session, capture), output.getvalue()

    def test_frames_keep_their_colours(self):
        session = faceverify.LivenessSession(engine(), policy="photo")
        decision, _ = self.watched(session, Capture(self.pixels, 2))
        self.assertIs(decision.result, faceverify.LivenessResult.LIVE)
        self.assertEqual(bytes(decision.selfie.pixels()), self.pixels.tobytes())
        times = [at for at, _ in self.webcam.frames(Capture(self.pixels, 3))]
        self.assertEqual((len(times), times), (3, sorted(set(times))))

    def test_swapped_colours_look_like_an_attack(self):
        with faceverify.LivenessSession(engine(), policy="photo") as session:
            session.add(Capture(self.pixels, 1).read()[1], time=0)
            self.assertIs(session.finish().result, faceverify.LivenessResult.PRESENTATION_ATTACK)

    def test_the_script_is_prompted(self):
        request = faceverify.LivenessRequest.from_script(["blink"])
        decision, output = self.watched(faceverify.LivenessSession(engine(), request), Capture(self.pixels, 30))
        self.assertFalse(decision)
        self.assertIn("Blink.", output)


@needs_samples
class ExampleTests(unittest.TestCase):
    def example(self, *arguments):
        process = subprocess.run(
            [sys.executable, str(ROOT / "examples" / "python" / "compare.py"), *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": str(BINDING)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        return process.returncode, process.stdout.decode().splitlines(), process.stderr.decode()

    def test_match(self):
        code, lines, _ = self.example(SELFIE, PORTRAIT)
        self.assertEqual((code, lines[0]), (0, "match"))
        self.assertRegex(lines[1], r"^score -\d+\.\d\d, threshold -\d\.\d\d \(lower is closer\)$")
        self.assertEqual(lines[2], "similarity 100 of 100")
        self.assertRegex(lines[3], "^portrait: ")

    def test_no_match(self):
        code, lines, _ = self.example(SELFIE, OTHER)
        self.assertEqual((code, lines[0]), (1, "no-match"))
        self.assertIn("The faces are less similar", lines[3])

    def test_usage_errors(self):
        self.assertEqual(self.example(SELFIE), (2, [], "usage: compare.py SELFIE PORTRAIT\n"))

    def test_runtime_errors(self):
        code, lines, error = self.example(SELFIE, "/nowhere.jpg")
        self.assertEqual((code, lines), (3, []))
        self.assertRegex(error, "^compare.py: portrait: /nowhere.jpg")

    @needs("PIL")
    def test_refused(self):
        from PIL import Image

        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            Image.open(SELFIE).reduce(5).save(file.name)
            code, lines, _ = self.example(file.name, PORTRAIT)
        self.assertEqual((code, lines[0]), (4, "refused"))
        self.assertRegex(lines[1], "^selfie: ")
