"""Arguments: wrong types are named, and what the signatures, `help()` and errors say."""

import asyncio
import copy
import functools
import inspect
import pickle
import pydoc
import typing
import unittest

from support import PORTRAIT, SELFIE, decision, engine, faceverify, grey, needs, needs_samples

from faceverify import Engine, LivenessRequest, LivenessSession, QualityPolicy, Template, run_async

PUBLIC = {name: getattr(faceverify, name) for name in faceverify.__all__}
CLASSES = [one for one in PUBLIC.values() if inspect.isclass(one)]
FUNCTIONS = [one for one in PUBLIC.values() if inspect.isfunction(one)]


def methods():
    """Yields the public methods of objects, and the functions that create them."""
    for kind in CLASSES:
        if issubclass(kind, faceverify._handle.Handle):
            for name, value in vars(kind).items():
                if name == "__init__" or not name.startswith("_") and not isinstance(value, property):
                    if isinstance(value, classmethod):
                        yield kind, name, getattr(kind, name)
                    elif inspect.isfunction(value):
                        yield kind, name, functools.partial(value, kind.__new__(kind))


class WrongTypeTests(unittest.TestCase):
    def check(self, function, parameter):
        class Other:
            pass

        with self.assertRaisesRegex(TypeError, f"^{parameter} must be .*, not Other$"):
            function(**{parameter: Other()})

    def test_every_argument_of_a_wrong_type_is_named(self):
        checked = 0
        for kind, name, method in methods():
            for parameter in inspect.signature(method).parameters.values():
                if parameter.kind is not parameter.VAR_POSITIONAL:
                    with self.subTest(kind=kind.__name__, name=name, parameter=parameter.name):
                        self.check(method, parameter.name)
                        checked += 1
        self.assertGreater(checked, 150)

    def test_functions(self):
        for function in (faceverify.parse_mrz, faceverify.read_codes, faceverify.read_chip, faceverify.verify_document):
            for parameter in inspect.signature(function).parameters:
                with self.subTest(function.__name__, parameter=parameter):
                    self.check(function, parameter)
        for parameter in ("selfie", "portrait", "false_match_rate", "among"):
            self.check(faceverify.ComparisonPolicy, parameter)

    def test_messages(self):
        for call, message in (
            (lambda: engine().detect(None), "photo must be a photo (an Image, a path, a binary file, bytes, an array of "
             "pixels or a PIL image), not None"),
            (lambda: engine().compare(grey(), grey(), "selfie"), "policy must be a ComparisonPolicy or None, not str"),
            (lambda: LivenessSession(engine(), portrait=b""), "portrait must be a Template or None, not bytes"),
            (lambda: Engine(threads="2"), "threads must be an int, not str"),
            (lambda: Engine(models_folder=3), "models_folder must be a path or None, not int"),
            (lambda: Engine(log=3), "log must be a function or None, not int"),
            (lambda: engine().threshold("1e-3"), "false_match_rate must be a number, not str"),
            (lambda: Template.from_bytes("text"), "data must be a bytes-like object, not str"),
            (lambda: LivenessRequest.from_script("blink"), "script must be a list, not str"),
            (lambda: faceverify.Image.from_pil(3), "image must be a PIL image, not int"),
            (lambda: engine().read_document([grey(), 3], date="2026-11-21"), "pages[1] must be a photo (an Image, a path,"
             " a binary file, bytes, an array of pixels or a PIL image), not int"),
            (lambda: faceverify.parse_mrz("P<UTO", 3), "date must be str or a date, not int"),
        ):  # fmt: skip
            with self.subTest(message), self.assertRaises(TypeError) as caught:
                call()
            self.assertEqual(str(caught.exception), message)

    @needs_samples
    def test_the_templates_of_a_list(self):
        template = decision().selfie.template
        with self.assertRaisesRegex(TypeError, r"^templates\[1\] must be a Template, not bytes$"):
            engine().compare_many(template, [template, b""])

    @needs("numpy")
    def test_numbers_of_numpy(self):
        import numpy

        Engine(threads=numpy.int64(2)).close()
        self.assertEqual(engine().threshold(numpy.float32(1e-2)).score, engine().threshold(float(numpy.float32(1e-2))).score)


class PixelOrderTests(unittest.TestCase):
    def test_functions_that_take_pixels_say_that_red_is_first(self):
        named = [(one, one.__name__) for one in FUNCTIONS] + [(method, name) for _, name, method in methods()]
        found = 0
        for function, name in named:
            function = getattr(function, "func", function)
            hints = typing.get_type_hints(function, localns=vars(faceverify))
            hints.pop("return", None)
            if any(faceverify.Image in typing.get_args(hint) for hint in hints.values()):
                with self.subTest(name):
                    self.assertRegex(function.__doc__, "red\\s+first")
                    found += 1
        self.assertGreaterEqual(found, 9)
        self.assertRegex(faceverify.Image.from_pixels.__doc__, "red\\s+first")


class PagesTests(unittest.TestCase):
    @needs_samples
    def test_a_single_page_needs_no_list(self):
        expected = engine().read_document([SELFIE], date="2026-11-21")
        with SELFIE.open("rb") as file:
            for page in (SELFIE, str(SELFIE), SELFIE.read_bytes(), file, faceverify.Image.from_file(SELFIE)):
                with self.subTest(type(page).__name__):
                    document = engine().read_document(page, date="2026-11-21")
                    self.assertEqual([len(document.pages), document.result], [1, expected.result])
        pages = engine().read_document((page for page in (SELFIE, PORTRAIT)), date="2026-11-21").pages
        self.assertEqual(len(pages), 2)


class AsyncTests(unittest.TestCase):
    def test_calls_without_a_cancellation(self):
        async def main():
            made = await run_async(Engine, threads=2)
            await run_async(made.preload)
            faces = await run_async(made.detect, grey())
            self.assertEqual(await run_async(len, faces), 0)
            with self.assertRaises(faceverify.CallCancelledError):
                await run_async(functools.partial(made.detect, grey()), cancellation=cancelled)

        cancelled = faceverify.Cancellation()
        cancelled.cancel()
        asyncio.run(main())


class PublicNameTests(unittest.TestCase):
    def test_the_public_module_is_reported(self):
        for one in (*CLASSES, *FUNCTIONS):
            self.assertEqual(one.__module__, "faceverify", one)
        self.assertEqual(repr(Engine), "<class 'faceverify.Engine'>")

    def test_values_are_pickled_by_their_public_names(self):
        for value in (faceverify.Result.MATCH, faceverify.FieldMismatch("surname", None, None, None)):
            self.assertNotIn(b"faceverify._", pickle.dumps(value))
            self.assertEqual(pickle.loads(pickle.dumps(value)), value)

    def test_annotations_can_be_resolved(self):
        for kind in CLASSES:
            typing.get_type_hints(kind)
        self.assertIs(typing.get_type_hints(Engine.compare)["return"], faceverify.Decision)
        self.assertIn("photo", typing.get_type_hints(Engine.detect))
        self.assertIn(faceverify.Image, typing.get_args(faceverify.Photo))

    def test_objects_say_what_to_keep_instead_of_pickling_them(self):
        for thing, advice in (
            (engine(), "faceverify.Engine cannot be copied or pickled: create one in each process, after forking"),
            (LivenessSession(engine()), "faceverify.LivenessSession cannot be copied or pickled: finish it where it began, "
             "and keep json_text of its decision"),
            (grey(), 'faceverify.Image cannot be copied or pickled: keep its file, or encode("png")'),
            (QualityPolicy("any"), "faceverify.QualityPolicy cannot be copied or pickled: create one in each process"),
        ):  # fmt: skip
            for way in (pickle.dumps, copy.copy, copy.deepcopy):
                with self.assertRaises(TypeError) as caught:
                    way(thing)
                self.assertEqual(str(caught.exception), advice)

    def test_help_has_readable_signatures(self):
        for name, one in PUBLIC.items():
            if inspect.isclass(one) or inspect.isfunction(one):
                shown = pydoc.render_doc(one, renderer=pydoc.plaintext)
                for noise in ("ForwardRef", "ctypes", "FuncPtr", " at 0x", "_buffer"):
                    self.assertNotIn(noise, shown, name)
        self.assertEqual(list(inspect.signature(Engine.detect).parameters)[:3], ["self", "photo", "small_faces"])
        self.assertIn("photo: 'Photo'", str(inspect.signature(Engine.detect)))
