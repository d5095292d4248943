import gc
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from support import PORTRAIT, SELFIE, engine, faceverify, grey, needs_samples

from faceverify import Engine, LogLevel, Models, ModelState, _engine


class EngineTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_threshold(self):
        thresholds = [engine().threshold(rate) for rate in (1e-2, 1e-3, 1e-4)]
        for threshold in thresholds:
            self.assertLess(threshold.false_match_rate_lower, threshold.false_match_rate_upper)
            self.assertLess(threshold.false_non_match_rate_lower, threshold.false_non_match_rate)
            self.assertLess(threshold.false_non_match_rate, threshold.false_non_match_rate_upper)
        self.assertEqual([threshold.false_match_rate for threshold in thresholds], [1e-2, 1e-3, 1e-4])
        self.assertEqual(thresholds, sorted(thresholds, key=lambda one: -one.score))
        self.assertEqual([threshold.false_matches >= 10 for threshold in thresholds], [True, True, False])
        between = engine().threshold(3e-4)
        self.assertTrue(thresholds[2].score < between.score < thresholds[1].score)
        for rate in (1e-7, 0.02):
            with self.assertRaises(faceverify.UnsupportedRateError):
                engine().threshold(rate)
        for rate in (0, 2, float("nan")):
            with self.assertRaises(faceverify.BadArgumentError):
                engine().threshold(rate)

    def test_a_threshold_among_all_people_is_looser(self):
        for rate in (1e-2, 1e-3, 1e-4, 1e-5):
            threshold = engine().threshold(rate, among="all")
            self.assertEqual(threshold.overall_false_match_rate_upper, rate)
            self.assertLess(threshold.overall_false_match_rate_lower, threshold.overall_false_match_rate_upper)
            self.assertGreater(threshold.false_match_rate_upper, rate)
            self.assertGreater(threshold.score, engine().threshold(rate).score)
        self.assertEqual(engine().threshold(1e-3, among="worst-group"), engine().threshold(1e-3))
        with self.assertRaisesRegex(faceverify.BadArgumentError, "worst-group, all"):
            engine().threshold(1e-3, among="everybody")

    def test_json(self):
        self.assertEqual(engine().json()["version"], faceverify.library_version)

    def test_the_best_installed_set_is_the_default(self):
        used = [entry["set"] for entry in Models().json()["sets"] if entry["used"]]
        self.assertEqual([engine().json()["models"]["set"]], used)
        self.assertIn(used[0], repr(engine()))
        with Engine(model_set="default") as other:
            self.assertEqual(other.json()["models"]["set"], "default")

    def test_precision(self):
        with Engine(precision="auto") as automatic, Engine(precision="f32") as exact:
            models = automatic.json()["models"]
            self.assertIn(models.pop("precision"), ("f32", "bf16"))
            self.assertEqual({**models, "precision": "f32"}, exact.json()["models"])

    def test_preload(self):
        engine().preload()

    def test_wrong_options_are_rejected(self):
        for options in ({"model_set": "best"}, {"threads": -1}, {"threads": 65}, {"precision": "bf16"}):
            with self.assertRaises(faceverify.BadArgumentError) as caught:
                Engine(**options)
            self.assertGreater(len(str(caught.exception)), 10)

    def test_missing_models_are_reported(self):
        with self.assertRaisesRegex(faceverify.ModelMissingError, str(self.folder)) as caught:
            Engine(self.folder)
        self.assertFalse(caught.exception.retryable)

    def copy_of_models(self):
        for file in Path(os.environ["FACEVERIFY_MODELS"]).iterdir():
            os.symlink(file.resolve(), self.folder / file.name)

    @unittest.skipUnless("FACEVERIFY_MODELS" in os.environ, "FACEVERIFY_MODELS is not set")
    def test_a_replaced_model_file(self):
        self.copy_of_models()
        wrong = self.folder / "face_landmark.tflite"
        wrong.unlink()
        wrong.write_bytes(b"another")
        with self.assertRaisesRegex(faceverify.ModelMismatchError, "face_landmark.tflite"):
            Engine(self.folder).preload()
        models = {os.path.basename(model.path): model for model in Models(self.folder)}
        self.assertIs(models[wrong.name].state, ModelState.MISMATCH)
        self.assertNotEqual(models[wrong.name].remedy, "")
        wrong.unlink()
        self.assertIs({os.path.basename(m.path): m for m in Models(self.folder)}[wrong.name].state, ModelState.MISSING)

    @unittest.skipUnless("FACEVERIFY_MODELS" in os.environ, "FACEVERIFY_MODELS is not set")
    def test_explicit_folders(self):
        self.copy_of_models()
        cache = self.folder / "cache"
        with Engine(models_folder=self.folder, cache_folder=cache) as other:
            self.assertEqual(len(other.detect(grey())), 0)
        self.assertNotEqual(list(cache.rglob("*")), [])

    def test_a_library_of_another_version(self):
        with mock.patch.object(_engine, "FV_VERSION_NUMBER", 990000):
            with self.assertRaises(faceverify.VersionMismatchError):
                Engine()

    @needs_samples
    def test_log(self):
        lines = []
        with Engine(log=lambda level, line: lines.append((level, line))) as other:
            self.assertEqual([level for level, _ in lines], [LogLevel.INFO])
            session = faceverify.LivenessSession(other, policy="photo")
            other.compare(SELFIE, PORTRAIT)
            with self.assertRaises(faceverify.NoFaceError):
                other.sample(grey())
        debug = [line for level, line in lines if level is LogLevel.DEBUG]
        self.assertRegex(debug[-2], r"^compare: ok, \d+ ms$")
        self.assertRegex(debug[-1], "^sample: no-face")
        self.assertNotIn("match", "".join(debug))
        gc.collect()
        session.add(SELFIE, 0)  # still logged, although the engine is closed
        self.assertTrue(session.finish().result)

    @needs_samples
    def test_objects_outlive_the_engine(self):
        other = Engine()
        session, sample = faceverify.LivenessSession(other, policy="photo"), other.sample(SELFIE)
        other.close()
        self.assertTrue(session.add(SELFIE, 0).has_face)
        self.assertTrue(sample.is_accepted)
        with self.assertRaisesRegex(faceverify.BadArgumentError, "Engine is closed"):
            other.compare(SELFIE, PORTRAIT)


class ModelsTests(unittest.TestCase):
    def test_files(self):
        models = Models()
        self.assertGreater(len(models), 5)
        self.assertEqual(len({model.id for model in models}), len(models))
        self.assertTrue(any(model.is_optional for model in models))
        for model in models:
            self.assertTrue(model.role and model.version and model.licence)
            if model.is_optional and model.state is ModelState.MISSING:
                self.assertRegex(model.remedy, "set retail")
                continue
            self.assertIs(model.state, ModelState.OK, model.remedy)
            self.assertEqual(os.path.getsize(model.path), model.byte_count)
            self.assertEqual(model.remedy, "")
        self.assertEqual(models[-1], models[len(models) - 1])
        self.assertEqual(list(models[1:3]), [models[1], models[2]])
        with self.assertRaises(IndexError):
            models[len(models)]
        self.assertEqual(len(models.json()["models"]), len(models))

    def test_a_folder_without_a_manifest_is_rejected(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaises(faceverify.ModelMissingError):
            Models(folder)

    def test_a_closed_engine_is_rejected(self):
        models = Models()
        models.close()
        with self.assertRaisesRegex(faceverify.BadArgumentError, "Models is closed"):
            len(models)
