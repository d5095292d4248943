import functools
import math
import pathlib
import unittest

from support import OTHER, PORTRAIT, SELFIE, decision, engine, faceverify, grey, needs, needs_dlib, needs_samples

from faceverify import BadArgumentError, Cancellation, CheckStatus, Engine, Image, QualityCheck, Result, Template


@needs_samples
class CompareTests(unittest.TestCase):
    def test_photos_of_one_person_match(self):
        match = decision()
        self.assertIs(match.result, Result.MATCH)
        self.assertTrue(match)
        self.assertEqual(f"{match.result}", "match")
        self.assertTrue(match.comparison.is_match)
        self.assertTrue(match.comparison.is_match)
        self.assertLess(match.comparison.score, -9)
        self.assertEqual(match.comparison.threshold, engine().threshold(1e-3).score)
        self.assertEqual(match.comparison.decided_at, 1e-3)
        self.assertEqual(match.comparison.similarity, 100)
        self.assertTrue(match.comparison.is_beyond_calibration)

    def test_photos_of_two_people_do_not_match(self):
        stranger = decision(OTHER)
        self.assertIs(stranger.result, Result.NO_MATCH)
        self.assertFalse(stranger)
        self.assertFalse(stranger.comparison.is_match)
        with self.assertRaisesRegex(TypeError, "use is_match, or compare it with None"):
            bool(stranger.comparison)
        self.assertIn("no truth value", faceverify.Comparison.__doc__)
        self.assertIs(stranger.comparison.is_beyond_calibration, False)
        self.assertGreater(stranger.comparison.score, stranger.comparison.threshold)
        reason = stranger.reasons[0]
        self.assertEqual(reason.code, "score-beyond-threshold")
        self.assertEqual(str(reason), reason.text)

    def test_a_rate_among_all_people(self):
        policy = faceverify.ComparisonPolicy(false_match_rate=1e-4, among="all")
        match = engine().compare(SELFIE, PORTRAIT, policy)
        self.assertEqual(match.comparison.threshold, engine().threshold(1e-4, among="all").score)
        self.assertEqual(match.json()["threshold"]["rate"], "1e-4 among all")
        comparison = engine().compare(SELFIE, OTHER, policy).comparison
        self.assertLess(comparison.overall_false_match_rate, comparison.overall_false_match_rate_upper_bound)
        with self.assertRaises(faceverify.BadArgumentError):
            engine().compare(SELFIE, PORTRAIT, faceverify.ComparisonPolicy(among=""))

    def test_copies_of_one_picture_do_not_match(self):
        copy = engine().compare(SELFIE, SELFIE)
        self.assertIs(copy.result, Result.REFUSED)
        self.assertEqual((copy.comparison, copy.reasons[0].code), (None, "same-picture"))
        self.assertEqual(copy.json()["samePicture"]["status"], "failed")
        self.assertEqual(decision().json()["samePicture"]["status"], "passed")

    def test_every_kind_of_photo_gives_the_same_result(self):
        record = decision().json_text
        data = SELFIE.read_bytes()
        for selfie in (str(SELFIE), SELFIE, data, bytearray(data), memoryview(data), Image.from_file(SELFIE)):
            self.assertEqual(engine().compare(selfie, PORTRAIT).json_text, record)

    def test_a_decision_has_a_record(self):
        record = decision().json()
        self.assertEqual(record["result"], decision().result)
        self.assertEqual(
            record["reasons"],
            [{"code": r.code, "text": r.text, "status": r.status} for r in decision().reasons],
        )
        self.assertAlmostEqual(record["comparison"]["score"], decision().comparison.score, 3)
        self.assertEqual(record["selfie"]["input"]["sha256"], Image.from_file(SELFIE).sha256)

    def test_errors_name_the_side(self):
        for selfie, portrait, kind, side in (
            (grey(), PORTRAIT, faceverify.NoFaceError, "selfie"),
            (SELFIE, grey(), faceverify.NoFaceError, "portrait"),
            ("/nowhere.jpg", PORTRAIT, faceverify.UnreadableError, "selfie"),
            (SELFIE, pathlib.Path("/nowhere.jpg"), faceverify.UnreadableError, "portrait"),
            (SELFIE, b"no picture at all", faceverify.UnknownFormatError, "portrait"),
            (SELFIE, PORTRAIT.read_bytes()[:50000], faceverify.DamagedError, "portrait"),
        ):
            with self.assertRaisesRegex(kind, f"^{side}: "):
                engine().compare(selfie, portrait)

    def test_objects_that_are_no_photos(self):
        for source in (None, 3, SELFIE.open):
            with self.assertRaisesRegex(TypeError, "^selfie must be a photo .*an array of pixels"):
                engine().compare(source, PORTRAIT)

    def test_closed_objects(self):
        with Image.from_file(SELFIE) as image:
            pass
        with self.assertRaisesRegex(BadArgumentError, "Image is closed"):
            engine().compare(image, PORTRAIT)


@needs_samples
class BudgetTests(unittest.TestCase):
    def calls(self):
        template = decision().selfie.template
        return (
            functools.partial(engine().compare, SELFIE, PORTRAIT),
            functools.partial(engine().compare_many, template, [template]),
            functools.partial(engine().detect, SELFIE),
            functools.partial(engine().sample, SELFIE),
            functools.partial(engine().assess, SELFIE),
        )

    def test_a_timeout_ends_the_call(self):
        for call in self.calls():
            with self.assertRaisesRegex(faceverify.CallTimeoutError, "1e-09 s") as caught:
                call(timeout=1e-9)
            self.assertIsInstance(caught.exception, TimeoutError)
            self.assertTrue(caught.exception.retryable)
            self.assertTrue(call(timeout=60))
            for timeout in (0, -1, math.nan):
                with self.assertRaises(BadArgumentError):
                    call(timeout=timeout)

    def test_a_cancelled_call_ends(self):
        with Cancellation() as cancellation:
            for call in self.calls():
                self.assertTrue(call(cancellation=cancellation, timeout=math.inf))
            cancellation.cancel()
            for call in self.calls():
                with self.assertRaises(faceverify.CallCancelledError):
                    call(cancellation=cancellation)
        with self.assertRaisesRegex(BadArgumentError, "Cancellation is closed"):
            engine().detect(SELFIE, cancellation=cancellation)

    def test_a_frame_is_compared(self):
        with faceverify.LivenessSession(engine(), policy="photo") as session:
            with self.assertRaises(faceverify.CallTimeoutError):
                session.add(SELFIE, 0, timeout=1e-9)
            self.assertTrue(session.add(SELFIE, 0).has_face)


@needs_samples
class EqualityTests(unittest.TestCase):
    def test_results_of_the_same_input_are_equal(self):
        same = engine().compare(SELFIE, PORTRAIT)
        for ours, other in (
            (same, decision()),
            (same.selfie, decision().selfie),
            (same.selfie.faces, decision().selfie.faces),
            (same.selfie.faces[0], decision().selfie.faces[0]),
            (same.selfie.template, decision().selfie.template),
            (Image.from_file(SELFIE), Image.from_bytes(SELFIE.read_bytes())),
            (faceverify.Models(), faceverify.Models()),
        ):
            self.assertEqual(ours, other)
            self.assertEqual(hash(ours), hash(other))
            self.assertEqual(len({ours, other}), 1)

    def test_results_of_other_input_differ(self):
        for ours, other in (
            (decision(), decision(OTHER)),
            (decision().selfie, decision().portrait),
            (decision().selfie.template, decision().portrait.template),
            (engine().assess(SELFIE), engine().sample(SELFIE)),
            (Image.from_file(SELFIE), Image.from_file(PORTRAIT)),
            (Image.from_frame(bytes(24), "gray8", 4, 6), Image.from_frame(bytes(24), "gray8", 6, 4)),
            (faceverify.QualityPolicy("selfie"), faceverify.QualityPolicy("selfie")),
            (decision(), decision().json_text),
            (decision(), None),
        ):
            self.assertNotEqual(ours, other)

    def test_a_closed_object_equals_only_itself(self):
        first, second = engine().compare(SELFIE, PORTRAIT), engine().compare(SELFIE, PORTRAIT)
        number = hash(first)
        first.close()
        self.assertEqual((first, hash(first)), (first, number))
        self.assertNotEqual(first, second)
        self.assertNotEqual(second, first)
        second.close()
        self.assertNotEqual(first, second)
        self.assertTrue(hash(second))

    def test_repr(self):
        match = engine().compare(SELFIE, PORTRAIT)
        self.assertEqual(repr(match), "<Decision match>")
        self.assertRegex(repr(match.selfie), r"^<Sample accepted, quality \d+>$")
        self.assertEqual(repr(match.selfie.faces), "<Faces of 1>")
        self.assertRegex(repr(match.selfie.faces[0]), r"^<Face 2\d\dx2\d\d at \(351, \d+\), score 0\.\d\d>$")
        self.assertRegex(repr(match.selfie.template), "^<Template [0-9a-f]{16} [0-9a-f]{8}>$")
        self.assertEqual(repr(Image.from_file(SELFIE)), "<Image 910x1137 jpeg>")
        self.assertEqual(repr(engine()), "<Engine default>")
        self.assertEqual(repr(faceverify.Chip()), "<Chip>")
        self.assertLess(len(repr(match.comparison)), 300)
        match.close()
        self.assertEqual(repr(match), "<Decision, closed>")


@needs_samples
class DecisionTests(unittest.TestCase):
    def test_parts(self):
        match = engine().compare(SELFIE, PORTRAIT)
        sample = match.selfie
        template, faces = sample.template, sample.faces
        face, checks, reasons = faces[0], sample.checks, match.reasons
        match.close()
        for part in (lambda: sample.quality, lambda: template.sha256, lambda: faces[0], lambda: match.result):
            with self.assertRaisesRegex(BadArgumentError, "Decision is closed"):
                part()
        self.assertEqual((len(face.mesh), reasons[0].code[:9]), (468, "portrait."))
        self.assertEqual(tuple(check.measure for check in checks), faceverify.QUALITY_MEASURES)

    def test_parts_keep_their_owner(self):
        template = engine().compare(SELFIE, PORTRAIT).portrait.template
        self.assertEqual(len(bytes(template)), 580)

    def test_closing_a_part_frees_no_memory(self):
        match = decision()
        match.selfie.close()
        self.assertTrue(match.selfie.is_accepted)

    def test_a_template_has_no_sample(self):
        template = Template.from_bytes(bytes(decision().portrait.template))
        match = engine().compare(SELFIE, template)
        self.assertEqual(match.comparison, decision().comparison)
        self.assertIsNone(match.portrait)
        self.assertIsNotNone(match.selfie)


@needs_samples
class SampleTests(unittest.TestCase):
    def test_sample(self):
        sample = engine().sample(SELFIE)
        self.assertTrue(sample.is_accepted)
        self.assertTrue(60 < sample.quality <= 100)
        self.assertEqual([check.measure for check in sample.checks], list(faceverify.QUALITY_MEASURES))
        self.assertEqual(sample.template.quality, sample.quality)
        self.assertEqual(sample.json()["input"]["sha256"], Image.from_file(SELFIE).sha256)
        self.assertEqual(len(sample.faces), 1)

    def test_checks(self):
        checks = {check.measure: check for check in engine().assess(SELFIE).checks}
        crop = checks["leftward-crop"]
        self.assertTrue(4 < crop.value < 5)
        self.assertEqual(
            crop, QualityCheck("leftward-crop", "ratio", "", CheckStatus.PASSED, None, crop.value, 100, 0.7, None)
        )
        self.assertEqual(f"{crop.status}", "passed")

    def test_assess_makes_no_template(self):
        sample = engine().assess(SELFIE)
        self.assertIsNone(sample.template)
        self.assertEqual(sample.quality, engine().sample(SELFIE).quality)

    def test_no_template_of_a_refused_picture(self):
        policy = faceverify.QualityPolicy("selfie")
        policy.require("inter-eye-distance", refused_below=1000)
        sample = engine().sample(SELFIE, policy)
        self.assertFalse(sample.is_accepted)
        self.assertIsNone(sample.template)

    def test_no_face(self):
        for method in (engine().sample, engine().assess):
            with self.assertRaises(faceverify.NoFaceError) as caught:
                method(grey())
            self.assertTrue(caught.exception.retryable)

    def test_quality_is_independent_of_the_policy(self):
        policy = faceverify.QualityPolicy("selfie")
        for measure in faceverify.QUALITY_MEASURES:
            policy.require(measure)
        sample = engine().assess(SELFIE, policy)
        self.assertEqual(sample.quality, engine().assess(SELFIE).quality)
        self.assertEqual({check.status for check in sample.checks}, {CheckStatus.NOT_CHECKED})


@needs_samples
class FacesTests(unittest.TestCase):
    def test_faces(self):
        faces = engine().detect(SELFIE)
        self.assertEqual((len(faces), len(list(faces))), (1, 1))
        face = faces[0]
        self.assertEqual(faces[-1], face)
        self.assertEqual(list(faces[:1]), [face])
        with self.assertRaises(IndexError):
            faces[1]
        self.assertTrue(350 < face.x < 352 and 279 < face.width < 282)
        self.assertLess(face.right_eye_outer.x, face.nose_base.x)
        self.assertLess(face.nose_base.x, face.left_eye_outer.x)
        self.assertTrue(abs(face.yaw) < 10 and abs(face.pitch) < 10 and abs(face.roll) < 10)
        self.assertTrue(0.1 < face.left_eye_openness < 0.3)
        self.assertEqual(faces.json()[0]["turn"], face.turn)

    def test_points(self):
        face = decision().selfie.faces[0]
        self.assertEqual([len(points) for points in (face.mesh, face.left_eye, face.right_eye)], [468, 21, 21])
        self.assertEqual([len(points[0]) for points in (face.mesh, face.left_eye)], [3, 2])
        for x, y in face.left_eye:
            self.assertTrue(face.nose_base.x < x < face.x + face.width and face.y < y < face.nose_base.y)
        self.assertEqual(face.mesh[-1], face.mesh[467])
        self.assertEqual(list(face.mesh[3:5]), [face.mesh[3], face.mesh[4]])
        self.assertEqual(face.mesh, decision().selfie.faces[0].mesh)
        self.assertNotEqual(face.left_eye, face.right_eye)
        self.assertEqual(repr(face.mesh), "<468 points of 3 coordinates>")
        with self.assertRaises(IndexError):
            face.mesh[468]

    def test_values_can_be_pickled(self):
        import pickle

        face = decision().selfie.faces[0]
        for value in (face, decision().comparison, decision().reasons, decision().selfie.checks, decision().result):
            self.assertEqual(pickle.loads(pickle.dumps(value)), value)
        with self.assertRaises(faceverify.UnreadableError) as caught:
            Image.from_file("/nowhere")
        copy = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(copy), str(copy), copy.status), (faceverify.UnreadableError, str(caught.exception), -2))

    @needs("numpy")
    def test_points_are_arrays_without_a_copy(self):
        import numpy

        mesh = decision().selfie.faces[0].mesh
        array = numpy.asarray(mesh)
        self.assertEqual((array.shape, array.dtype), ((468, 3), numpy.float64))
        self.assertEqual(array.tolist(), [list(point) for point in mesh])
        self.assertEqual(array.__array_interface__["data"][0], mesh.__array_interface__["data"][0])
        with self.assertRaises(ValueError):
            array[0] = 0
        first = mesh[0]
        del mesh
        self.assertEqual(tuple(array[0]), first)

    def test_no_face_is_a_result(self):
        faces = engine().detect(grey())
        self.assertEqual((len(faces), list(faces), faces.json()), (0, [], []))

    def test_small_faces(self):
        self.assertEqual(len(engine().detect(SELFIE, small_faces=True)), 1)


@needs_samples
@needs_dlib
class DlibTests(unittest.TestCase):
    """A set without a mesh, whose templates are of other models."""

    @classmethod
    def setUpClass(cls):
        cls.engine = Engine(model_set="dlib")

    def test_unmeasured_values_are_none(self):
        face = self.engine.detect(SELFIE)[0]
        self.assertEqual([face.mesh, face.left_eye, face.right_eye], [None] * 3)
        self.assertEqual([face.yaw, face.pitch, face.roll, face.left_eye_openness], [None] * 4)
        checks = {check.measure: check for check in self.engine.assess(SELFIE).checks}
        check = checks["head-pose-yaw"]
        self.assertEqual((check.status, check.value, check.score), (CheckStatus.NOT_CHECKED, None, None))
        self.assertNotEqual(check.advice, "")

    def test_a_foreign_template_is_rejected(self):
        template = self.engine.sample(SELFIE).template
        with self.assertRaisesRegex(faceverify.IncompatibleTemplateError, "^selfie: .* made with the model set dlib, "):
            engine().compare(template, PORTRAIT)
        with self.assertRaises(faceverify.IncompatibleTemplateError):
            engine().compare_templates(template, decision().selfie.template)
        with self.assertRaises(faceverify.IncompatibleTemplateError):
            engine().compare_many(decision().selfie.template, [template])


@needs_samples
class TemplateTests(unittest.TestCase):
    def test_bytes(self):
        template = decision().selfie.template
        data = bytes(template)
        self.assertEqual(len(data), 580)
        for source in (data, bytearray(data), memoryview(data)):
            copy = Template.from_bytes(source)
            self.assertEqual(bytes(copy), data)
            self.assertEqual(copy.sha256, template.sha256)
            self.assertEqual(copy.model_identifier, template.model_identifier)
            self.assertEqual(copy.quality, template.quality)

    def test_compare_templates(self):
        selfie, portrait, other = (
            decision().selfie.template, decision().portrait.template, decision(OTHER).portrait.template
        )  # fmt: skip
        self.assertEqual(engine().compare_templates(selfie, portrait), decision().comparison)
        self.assertFalse(engine().compare_templates(selfie, other).is_match)

    def test_compare_many(self):
        selfie, portrait, other = (
            decision().selfie.template, decision().portrait.template, decision(OTHER).portrait.template
        )  # fmt: skip
        found = engine().compare_many(selfie, (one for one in (other, portrait, other)))
        self.assertEqual([one.is_match for one in found], [False, True, False])
        self.assertEqual(found[1], decision().comparison)
        self.assertEqual(found[0], engine().compare_templates(selfie, other))
        self.assertEqual(engine().compare_many(selfie, []), ())
        strict = engine().compare_many(selfie, [portrait], 1e-4)[0]
        self.assertEqual((strict.decided_at, strict.score), (1e-4, found[1].score))
        with Template.from_bytes(bytes(portrait)) as closed:
            pass
        with self.assertRaisesRegex(BadArgumentError, "Template is closed"):
            engine().compare_many(selfie, [portrait, closed])

    def test_a_template_file_is_recognised_by_its_content(self):
        import tempfile

        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(decision().portrait.template))
            file.flush()
            match = engine().compare(SELFIE, file.name)
        self.assertEqual(match.comparison, decision().comparison)
        self.assertIsNone(match.portrait)

    def test_a_damaged_template_is_rejected(self):
        data = bytes(decision().selfie.template)
        for damaged in (data[:-1], data + b"x", data[:300] + bytes([data[300] ^ 1]) + data[301:]):
            with self.assertRaises(faceverify.DamagedError):
                Template.from_bytes(damaged)
        with self.assertRaises(faceverify.UnknownFormatError):
            Template.from_bytes(SELFIE.read_bytes())

    def test_another_object_is_not_a_template(self):
        with self.assertRaisesRegex(TypeError, "^a must be a Template, not Image"):
            engine().compare_templates(grey(), decision().selfie.template)
