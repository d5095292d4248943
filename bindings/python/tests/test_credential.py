import json
import pathlib
import unittest

from support import OTHER, PORTRAIT, SAMPLES, SELFIE, decision, engine, faceverify, grey, needs, needs_samples

from faceverify import BadArgument, Check, CheckStatus, Credential, Engine, Image, Result, Template


@needs_samples
class CompareTests(unittest.TestCase):
    def test_match(self):
        match = decision()
        self.assertIs(match.result, Result.MATCH)
        self.assertTrue(match)
        self.assertEqual(f"{match.result}", "match")
        self.assertTrue(match.comparison)
        self.assertTrue(match.comparison.is_match)
        self.assertAlmostEqual(match.comparison.score, -9.17, 1)
        self.assertEqual(match.comparison.threshold, engine().threshold(1e-3).score)
        self.assertEqual(match.comparison.decided_at, 1e-3)
        self.assertEqual(match.comparison.similarity, 100)
        self.assertTrue(match.comparison.is_beyond_calibration)

    def test_no_match(self):
        stranger = decision(OTHER)
        self.assertIs(stranger.result, Result.NO_MATCH)
        self.assertFalse(stranger)
        self.assertFalse(stranger.comparison)
        self.assertIs(stranger.comparison.is_beyond_calibration, False)
        self.assertGreater(stranger.comparison.score, stranger.comparison.threshold)
        reason = stranger.reasons[0]
        self.assertEqual(reason.code, "score-beyond-threshold")
        self.assertEqual(str(reason), reason.text)

    def test_every_kind_of_photo_gives_the_same_answer(self):
        record = decision().json
        data = SELFIE.read_bytes()
        for selfie in (str(SELFIE), SELFIE, data, bytearray(data), memoryview(data), Image.from_file(SELFIE)):
            self.assertEqual(engine().compare(selfie, PORTRAIT).json, record)

    def test_record(self):
        record = json.loads(decision().json)
        self.assertEqual(record["result"], decision().result)
        self.assertEqual(
            record["reasons"], [{"code": reason.code, "text": reason.text} for reason in decision().reasons]
        )
        self.assertAlmostEqual(record["comparison"]["score"], decision().comparison.score, 3)
        self.assertEqual(record["selfie"]["input"]["sha256"], Image.from_file(SELFIE).sha256)

    def test_what_cannot_be_used_names_its_side(self):
        credential = Credential(engine())
        for selfie, portrait, kind, side in (
            (grey(), PORTRAIT, faceverify.NoFace, "selfie"),
            (SELFIE, grey(), faceverify.NoFace, "portrait"),
            ("/nowhere.jpg", PORTRAIT, faceverify.Unreadable, "selfie"),
            (SELFIE, pathlib.Path("/nowhere.jpg"), faceverify.Unreadable, "portrait"),
            (SELFIE, b"no picture at all", faceverify.UnknownFormat, "portrait"),
            (SELFIE, PORTRAIT.read_bytes()[:50000], faceverify.Damaged, "portrait"),
        ):
            with self.assertRaisesRegex(kind, f"^{side}: "):
                credential.compare(selfie, portrait)
        self.assertTrue(credential.compare(SELFIE, PORTRAIT))

    def test_what_is_no_photo(self):
        for source in (None, 3, SELFIE.open):
            with self.assertRaisesRegex(TypeError, "a photo is"):
                engine().compare(source, PORTRAIT)

    def test_what_is_closed(self):
        with Image.from_file(SELFIE) as image, Credential(engine()) as credential:
            pass
        with self.assertRaisesRegex(BadArgument, "Image is closed"):
            engine().compare(image, PORTRAIT)
        with self.assertRaisesRegex(BadArgument, "Credential is closed"):
            credential.compare(SELFIE, PORTRAIT)


@needs_samples
class DecisionTests(unittest.TestCase):
    def test_what_belongs_to_it(self):
        match = engine().compare(SELFIE, PORTRAIT)
        sample = match.selfie
        template, faces = sample.template, sample.faces
        face, checks, reasons = faces[0], sample.checks, match.reasons
        match.close()
        for part in (lambda: sample.quality, lambda: template.sha256, lambda: faces[0], lambda: match.result):
            with self.assertRaisesRegex(BadArgument, "Decision is closed"):
                part()
        self.assertEqual((len(face.mesh), reasons[0].code[:9]), (468, "portrait."))
        self.assertEqual(tuple(check.measure for check in checks), faceverify.QUALITY_MEASURES)

    def test_what_belongs_to_it_keeps_it(self):
        template = engine().compare(SELFIE, PORTRAIT).portrait.template
        self.assertEqual(len(bytes(template)), 580)

    def test_closing_a_part_frees_nothing(self):
        match = decision()
        match.selfie.close()
        self.assertTrue(match.selfie.is_accepted)

    def test_a_side_that_was_a_template(self):
        template = Template.from_bytes(bytes(decision().portrait.template))
        match = engine().compare(SELFIE, template)
        self.assertEqual(match.comparison, decision().comparison)
        self.assertIsNone(match.portrait)
        self.assertIsNotNone(match.selfie)


@needs_samples
class SampleTests(unittest.TestCase):
    def test_sample(self):
        sample = Credential(engine()).sample(SELFIE)
        self.assertTrue(sample.is_accepted)
        self.assertTrue(60 < sample.quality <= 100)
        self.assertEqual([check.measure for check in sample.checks], list(faceverify.QUALITY_MEASURES))
        self.assertEqual(sample.template.quality, sample.quality)
        self.assertEqual(json.loads(sample.json)["input"]["sha256"], Image.from_file(SELFIE).sha256)
        self.assertEqual(len(sample.faces), 1)

    def test_checks(self):
        checks = {check.measure: check for check in Credential(engine()).assess(SELFIE).checks}
        crop = checks["leftward-crop"]
        self.assertTrue(4 < crop.value < 5)
        self.assertEqual(
            crop, Check("leftward-crop", "ratio", "", CheckStatus.PASSED, None, crop.value, 100, 0.7, None)
        )
        self.assertEqual(f"{crop.status}", "passed")

    def test_assess_makes_no_template(self):
        sample = Credential(engine()).assess(SELFIE)
        self.assertIsNone(sample.template)
        self.assertEqual(sample.quality, Credential(engine()).sample(SELFIE).quality)

    def test_no_template_of_a_refused_picture(self):
        policy = faceverify.QualityPolicy("selfie")
        policy.require("inter-eye-distance", refused_below=1000)
        sample = Credential(engine()).sample(SELFIE, policy)
        self.assertFalse(sample.is_accepted)
        self.assertIsNone(sample.template)

    def test_no_face(self):
        for method in (Credential.sample, Credential.assess):
            with self.assertRaises(faceverify.NoFace) as caught:
                method(Credential(engine()), grey())
            self.assertTrue(caught.exception.retryable)

    def test_nothing_asked_is_no_quality(self):
        policy = faceverify.QualityPolicy("selfie")
        for measure in faceverify.QUALITY_MEASURES:
            policy.require(measure)
        sample = Credential(engine()).assess(SELFIE, policy)
        self.assertIsNone(sample.quality)
        self.assertEqual({check.status for check in sample.checks}, {CheckStatus.NOT_CHECKED})


@needs_samples
class FacesTests(unittest.TestCase):
    def test_faces(self):
        faces = Credential(engine()).detect(SELFIE)
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
        self.assertEqual(json.loads(faces.json)[0]["turn"], face.turn)

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
        with self.assertRaises(faceverify.Unreadable) as caught:
            Image.from_file("/nowhere")
        copy = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(copy), str(copy), copy.status), (faceverify.Unreadable, str(caught.exception), -2))

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

    def test_no_face_is_an_answer(self):
        faces = Credential(engine()).detect(grey())
        self.assertEqual((len(faces), list(faces), json.loads(faces.json)), (0, [], []))

    def test_small_faces(self):
        self.assertEqual(len(Credential(engine()).detect(SELFIE, small_faces=True)), 1)


@needs_samples
class DlibTests(unittest.TestCase):
    """A set without a mesh, whose templates are of other models."""

    @classmethod
    def setUpClass(cls):
        cls.engine = Engine(model_set="dlib")

    def test_what_it_does_not_measure_is_none(self):
        face = Credential(self.engine).detect(SELFIE)[0]
        self.assertEqual([face.mesh, face.left_eye, face.right_eye], [None] * 3)
        self.assertEqual([face.yaw, face.pitch, face.roll, face.left_eye_openness], [None] * 4)
        checks = {check.measure: check for check in Credential(self.engine).assess(SELFIE).checks}
        check = checks["head-pose-yaw"]
        self.assertEqual((check.status, check.value, check.score), (CheckStatus.NOT_CHECKED, None, None))
        self.assertNotEqual(check.advice, "")

    def test_a_foreign_template(self):
        template = Credential(self.engine).sample(SELFIE).template
        with self.assertRaisesRegex(faceverify.IncompatibleTemplate, "^selfie: "):
            engine().compare(template, PORTRAIT)
        with self.assertRaises(faceverify.IncompatibleTemplate):
            Credential(engine()).compare_templates(template, decision().selfie.template)


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
        credential = Credential(engine())
        selfie, portrait, other = (
            decision().selfie.template, decision().portrait.template, decision(OTHER).portrait.template
        )  # fmt: skip
        self.assertEqual(credential.compare_templates(selfie, portrait), decision().comparison)
        self.assertFalse(credential.compare_templates(selfie, other))

    def test_a_template_file_is_known_by_its_content(self):
        import tempfile

        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes(decision().portrait.template))
            file.flush()
            match = engine().compare(SELFIE, file.name)
        self.assertEqual(match.comparison, decision().comparison)
        self.assertIsNone(match.portrait)

    def test_damage(self):
        data = bytes(decision().selfie.template)
        for damaged in (data[:-1], data + b"x", data[:300] + bytes([data[300] ^ 1]) + data[301:]):
            with self.assertRaises(faceverify.Damaged):
                Template.from_bytes(damaged)
        with self.assertRaises(faceverify.UnknownFormat):
            Template.from_bytes(SELFIE.read_bytes())

    def test_another_object_is_no_template(self):
        with self.assertRaisesRegex(BadArgument, "template"):
            Credential(engine()).compare_templates(grey(), decision().selfie.template)
